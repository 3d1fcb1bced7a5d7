"""The robots of the library in three kinds: arms with a table of rows, those from other descriptions, those with loops.

Tests that derive functions of every robot take the arms; a humanoid in each of them would cost minutes, and its kinds
of joints and trees are those of other tests. The others have tests of their own.
"""

from symgen.robot import library, shipped

LOOPED = tuple(name for name in library.names() if "\nactuated = " in shipped.file_text(name))
TAKEN_OVER = tuple(
    name for name in library.names() if name not in LOOPED and 'convention = "placed"' in shipped.file_text(name)
)
ARMS = tuple(name for name in library.names() if name not in (*LOOPED, *TAKEN_OVER))
