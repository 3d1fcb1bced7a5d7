"""Times of the generated code beside other libraries' on the same robot: cases → peers → rounds → report.

cases      name → Case: the robot, its links in plain numbers, states to cycle through
peers      Case → Subjects: what is timed, each checked against symgen's results first
harness    Contenders → Samples, in rounds over all contenders, disturbed blocks left out
machine    what a core can do: multiply-adds, sines and cosines, memory
report     Samples → tables and data
run        all of it
"""
