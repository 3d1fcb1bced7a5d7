"""Robot and options → Module: what is derived, how the cheapest programs are found, what headers say of the robot."""
