"""Files of graphs and loops with random changes give a robot or an error of symgen, never anything else."""

import copy
import random
import tomllib
from collections import Counter

import pytest
import test_robot_graph
import test_robot_parallel_yaml
import test_robot_urdf_plus

from symgen.errors import SymgenError
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.writer import robot_text

FILES = 150

WORDS = ["a", "base", "x", "", "pi/2", "1/0", "0", "-1", "nan", "1e999", "true", "revolute", "spherical", "fixed", "3d"]
VALUES = [*WORDS, 0, -1, 1.5, [], {}, [0, 0, 0], [1, 2], {"link": "b", "xyz": [1, 0, 0]}, [{"name": "q"}]]
KEYS = ["axis", "xyz", "rpy", "parent", "child", "joint", "mimic", "limits", "offset", "direction", "rotor", "loops"]


def outcome(read):
    try:
        robot = read()
    except SymgenError as error:
        return "refused" if len(str(error)) < 20_000 else "refused at length"
    again = read_text(robot_text(robot), "again.toml")
    assert (again.links, again.cut_joints, again.couplings) == (robot.links, robot.cut_joints, robot.couplings)
    return "read"


def places(data):
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from places(data[key])


def changed(data, source):
    data = copy.deepcopy(data)
    for _ in range(source.randint(1, 2)):
        table, key = source.choice(list(places(data)))
        value = copy.deepcopy(source.choice(VALUES))
        way = source.randint(0, 2)
        if way == 0:
            del table[key]
        elif way == 1 and isinstance(table, dict):
            table[source.choice(KEYS)] = value
        else:
            table[key] = value
    return data


def test_changed_graphs_are_read_or_refused():
    ring, found = tomllib.loads(test_robot_graph.RING), Counter()
    for seed in range(FILES):
        text = test_robot_graph.text_of(changed(ring, random.Random(seed)))
        found[outcome(lambda text=text: read_text(text, "ring.toml"))] += 1
    assert found["read"] + found["refused"] == FILES
    assert min(found["read"], found["refused"]) >= 5


def mangled(text, source):
    """The text with some of what stands between quotes swapped, or another word."""
    for _ in range(source.randint(1, 3)):
        parts = text.replace("'", '"').split('"')
        parts[source.randrange(len(parts))] = source.choice([source.choice(parts), source.choice(WORDS)])
        text = '"'.join(parts)
    return text


def yaml_reader(tmp_path):
    links = "".join(test_robot_parallel_yaml.BARS)
    urdf, path = tmp_path / "bars.urdf", tmp_path / "robot.yaml"
    urdf.write_text(f'<robot name="bars"><link name="root"/>{links}</robot>', encoding="utf-8")

    def read(text):
        path.write_text(text, encoding="utf-8")
        return library.load(urdf, loops=path)

    return read, test_robot_parallel_yaml.YAML + test_robot_parallel_yaml.JOINT


def plus_reader(_):
    plus = test_robot_urdf_plus
    parts = (*plus.bars("0 0 1"), plus.loop(), plus.coupling("crank", "rocker"))
    text = f'<robot name="bars"><link name="root"/>{"".join(parts)}</robot>'
    return lambda changed: robot_of(changed.encode(), "bars.urdf"), text


@pytest.mark.parametrize("reader", [yaml_reader, plus_reader])
def test_changed_files_of_others_are_read_or_refused(tmp_path, reader):
    read, given = reader(tmp_path)
    found = Counter()
    for seed in range(FILES):
        text = mangled(given, random.Random(seed))
        found[outcome(lambda text=text: read(text))] += 1
    assert found["read"] + found["refused"] == FILES
    assert min(found["read"], found["refused"]) >= 1
