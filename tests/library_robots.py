"""The robots of the library in two kinds: arms with a table of rows, and robots taken over from other descriptions.

Tests that derive functions of every robot take the arms; a humanoid in each of them would cost minutes, and its kinds
of joints and trees are those of other tests. The others have tests of their own.
"""

from symgen.robot import library, shipped

TAKEN_OVER = tuple(name for name in library.names() if 'convention = "placed"' in shipped.file_text(name))
ARMS = tuple(name for name in library.names() if name not in TAKEN_OVER)
