"""MuJoCo's models (MJCF): a file's XML → `Robot`, through the model that MuJoCo compiles of it.

bounds    path           → what the file asks for, within bounds
load      path           → MuJoCo's compiled model, or what is wrong with the file
meant     doubles        → the numbers they stand for
joints    model          → joints with what acts in them
couplings model          → equality constraints: joints that follow others, what closes loops
loops     model, Robot   → Robot with cut joints and couplings
left_out  model          → what no rigid-body dynamics has a place for, in words
build     all of it      → Robot
"""
