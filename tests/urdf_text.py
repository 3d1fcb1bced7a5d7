"""URDFs for tests: a good one and how to change one thing in it, and random ones."""

from strategies import Chance, Seeded

BOX = '<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name, inertial=BOX):
    return f'<link name="{name}">{inertial}</link>\n'


def joint(name, parent, child, kind="revolute", inside='<axis xyz="0 0 1"/>'):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>\n'


def urdf(*elements, name='name="arm"'):
    return f"<robot {name}>\n{''.join(elements)}</robot>\n"


def chain(*joints):
    """Links a, b, c, ... one after the other, by joints of which (kind, what is inside) is given."""
    names = "abcdefgh"
    links = [link(names[index]) for index in range(len(joints) + 1)]
    return urdf(
        *links,
        *(joint(f"j{i + 1}", names[i], names[i + 1], kind, inside) for i, (kind, inside) in enumerate(joints)),
    )


# random ones ----------------------------------------------------------------------------------------------


def random_urdf(seed: int) -> str:
    """The random URDF of this seed: a tree with slanted axes, fixed frames, limits, damping and joints that follow."""
    chance = Seeded(5_000_000 + seed)
    kinds = [chance.choose(["revolute", "revolute", "continuous", "prismatic", "fixed"]) for _ in range(_size(chance))]
    kinds[chance.choose(list(range(len(kinds))))] = "revolute"
    names = [f"link {index}" for index in range(len(kinds) + 1)]
    elements = [link(name, _inertial(chance)) for name in names[:-1]] + [link(names[-1])]
    moving: list[int] = []
    for index, kind in enumerate(kinds):
        parent = names[chance.choose(list(range(max(0, index - 2), index + 1)))]
        inside = _origin(chance) + (_motion(chance, kind, moving) if kind != "fixed" else "")
        if kind != "fixed":
            moving.append(index)
        elements.append(joint(f"joint-{index}", parent, names[index + 1], kind, inside))
    return urdf(*elements, name='name="random"')


def _size(chance: Chance) -> int:
    return chance.choose([1, 2, 3, 4, 5, 6, 7])


def _origin(chance: Chance) -> str:
    xyz = " ".join(str(chance.choose([0, chance.number(-0.5, 0.5)])) for _ in range(3))
    rpy = " ".join(
        chance.choose(["0", "1.5708", "-1.57079632679", "3.14159", "0.523599", "0.7", "-2e-17"]) for _ in range(3)
    )
    return chance.choose(["", f'<origin xyz="{xyz}"/>', f'<origin xyz="{xyz}" rpy="{rpy}"/>'])


def _inertial(chance: Chance) -> str:
    if chance.choose([True, False, False, False]):
        return ""
    a, b, c = (chance.number(0.1, 0.3) for _ in range(3))
    mixed = [chance.number(-0.01, 0.01) for _ in range(3)]
    tensor = f'ixx="{round(b + c, 3)}" iyy="{round(a + c, 3)}" izz="{round(a + b, 3)}"'
    products = f'ixy="{mixed[0]}" ixz="{mixed[1]}" iyz="{mixed[2]}"'
    mass = f'<mass value="{chance.number(0.5, 5)}"/>'
    return f"<inertial>{_origin(chance)}{mass}<inertia {tensor} {products}/></inertial>"


def _motion(chance: Chance, kind: str, moving: list[int]) -> str:
    axes = [
        "0 0 1",
        "0 -1 0",
        "1 0 0",
        "0 0 -3",
        "1 1 0",
        "0.6 0 0.8",
        "-1.2 0.3 0.44",
        "1 2e-17 0",
        "0.258819 0 0.965926",
    ]
    inside = chance.choose(["", *(f'<axis xyz="{axis}"/>' for axis in axes)])
    inside += chance.choose(["", '<dynamics damping="0.7" friction="0.2"/>'])
    if kind != "continuous":
        inside += '<limit lower="-1.5" upper="2" velocity="3.5" effort="40"/>'
    if moving and chance.choose([True, False, False]):
        followed = chance.choose(moving)
        inside += (
            f'<mimic joint="joint-{followed}" multiplier="{chance.number(-2, 2)}" offset="{chance.number(-1, 1)}"/>'
        )
    return inside


def general_chain(count: int) -> str:
    """A chain whose joints are placed and turned anyhow, with axes anyhow, and links of which no number is 0."""
    chance = Seeded(6_000_000 + count)

    def three(size: float) -> str:
        return " ".join(str(chance.number(size / 4, size)) for _ in range(3))

    elements = [link("link 0")]
    for index in range(count):
        parent, child = f"link {index}", f"link {index + 1}"
        inside = f'<origin xyz="{three(0.3)}" rpy="{three(1.5)}"/><axis xyz="{three(1)}"/>'
        elements.append(link(child, _general_inertial(chance, three(0.1))))
        elements.append(joint(f"j{index}", parent, child, "continuous", inside))
    return urdf(*elements, name=f'name="general{count}"')


def _general_inertial(chance: Chance, centre: str) -> str:
    xx, yy, zz = (chance.number(0.1, 0.12) for _ in range(3))
    xy, xz, yz = (chance.number(0.001, 0.01) for _ in range(3))
    tensor = f'ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="{xy}" ixz="{xz}" iyz="{yz}"'
    return f'<inertial><origin xyz="{centre}"/><mass value="{chance.number(1, 3)}"/><inertia {tensor}/></inertial>'
