"""A robot's page: one file of HTML that works offline, with the robot in 3-D, live numbers, formulas, counts, checks.

    Robot                  → Generation: the functions that the page needs, in JavaScript, verified and proved
    Robot                  → formulas, in a process of their own meanwhile (`aside`)
    Robot, Generation      → Page: what it says and shows; nothing in it that was not worked out for this robot
    Page                   → a file

`page` puts it together, `browser` holds the script, and templates/report the page's frame and style.
"""
