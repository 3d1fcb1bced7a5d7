"""The page put together: what each part says, and the text of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from symgen.build.files import write_files
from symgen.count import beside
from symgen.derive.inertial_parameters import base_parameters
from symgen.derive.outcome import Progress
from symgen.display.markup import Grid
from symgen.drawing.picture import picture
from symgen.emit.environment import plain_text, render
from symgen.errors import InputError, SymgenError, VerificationError
from symgen.formulas.function_structure import structures
from symgen.generation.corridor import Generation, failure_text, run
from symgen.generation.reading import load
from symgen.generation.telling import report_lines
from symgen.program.counts import counts_grid
from symgen.report import aside, tables
from symgen.report.equations import Equations
from symgen.report.functions import LANGUAGE, options_for
from symgen.report.live import data_text, module_text, page_script, robot_data
from symgen.robot import tabular
from symgen.robot.model import Robot
from symgen.robot.physical import lumps, remarks
from symgen.robot.scenery import scene_of
from symgen.version import __version__

TEMPLATE, STYLE = "report/page.html.j2", "report/page.css"

MARK = '<meta name="generator" content="symgen '
"""What every page has near its beginning: pages that symgen made may be replaced."""

_HEAD = 2000
"""So far from its beginning the mark is, in bytes."""


def silent(step: str) -> None:
    """Tells nobody of a step."""


@dataclass(frozen=True)
class Page:
    """A robot's page, and what was generated for it, which is not compiled: its module runs on NumPy."""

    made: Generation
    html: str

    def write(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the page, whole or not at all; a file that is no page of symgen's is replaced with `force` only."""
        return write_page(path, self.html, force=force)

    def __repr__(self) -> str:
        return f"<Page of {self.made.robot.name}, {len(self.html.encode())} bytes of HTML>"


def report(robot: str | Path | Robot, *, states: int = 100, progress: Progress = silent) -> Page:
    """The page of a robot: the robot in 3-D, live numbers, formulas, counts and checks in one file of HTML.

    `states`: number of random states of the verification. Raises `InputError` for robots that lack what every page
    needs, and `VerificationError` where a check fails.
    """
    loaded = load(robot)
    options = options_for(loaded)
    with aside.begun(loaded) as formulas:
        made = run(loaded, options, states=states, languages=(LANGUAGE,), progress=progress, compiled=False)
        if not made.passed:
            raise VerificationError(failure_text(made))
        progress("writing formulas")
        written = formulas()
    progress("writing the page")
    return Page(made, page_text(made, written))


def page_text(made: Generation, formulas: Sequence[Equations]) -> str:
    """The text of the page of what was generated, with formulas; the same every time."""
    robot, record = made.robot, made.derivation.module.record
    scene = scene_of(robot)
    data = robot_data(made)
    return render(
        TEMPLATE,
        mark=Markup(f'{MARK}{__version__}">'),
        style=Markup(plain_text(STYLE)),
        name=robot.name,
        description=robot.description,
        facts=facts(robot),
        picture=Markup(picture(scene)),
        has_ellipsoid="jacobian" in data["functions"],
        has_inertia="inertia_matrix" in data["functions"],
        has_centre="center_of_mass" in data["functions"],
        has_loops=robot.has_loops,
        has_friction=has_friction(robot),
        has_floating_base=any(joint.q == 0 and "x" in joint.positions and joint.velocities for joint in record.free),
        frame=data["frame"],
        duration=10,
        equations=formulas,
        structures=tuple(shown_structures(made)),
        parameters=parameter_table(robot),
        counts=tuple(map(tables.table, count_grids(made))),
        formulations=sorted(made.module.formulations.items()),
        verified=report_lines(made.report, made.proofs),
        checks=tables.checks_table(made.report),
        proofs=tables.proofs_table(made.proofs),
        languages=tuple(_languages(made)),
        understood=tuple(map(tables.table, understood(robot))),
        notices=(*robot.notices, *made.derivation.notices, *remarks(robot)),
        carried=lumps(robot),
        heading=[*tabular.heading(robot)[1:], *tabular.parameter_lines(robot)],
        data=Markup(data_text(data, scene)),
        module=Markup(module_text(made)),
        script=Markup(page_script()),
    )


def facts(robot: Robot) -> list[str]:
    """The robot in a line of facts."""
    count = len(robot.links)
    moving = f"{robot.nv} velocities" if robot.nv != 1 else "1 velocity"
    found = [f"{count} links" if count != 1 else "1 link", moving]
    if robot.has_loops:
        found = [found[0], f"{robot.constraints} constraints", f"{len(robot.independent)} independent velocities"]
    masses = sum(float(link.inertia.mass.constant(robot.defaults)) for link in robot.links)
    return [*found, f"{masses:.6g} kg"]


def has_friction(robot: Robot) -> bool:
    """Whether a joint loses energy to friction."""
    drives = [*(link.joint.drive for link in robot.links), *(cut.drive for cut in robot.cut_joints)]
    return any(not entry.is_zero for drive in drives for entry in (drive.viscous, drive.coulomb, drive.sigmoid))


def understood(robot: Robot) -> Iterator[Grid]:
    """The tables of the description as it was understood."""
    yield from tabular.link_grids(robot)
    yield from tabular.coordinate_grids(robot)
    yield tabular.mass_grid(robot)
    yield from tabular.joint_grids(robot)


def count_grids(made: Generation) -> Iterator[Grid]:
    """Operations of the functions, and of others' beside them."""
    counts = made.derivation.counts
    yield counts_grid(made.robot.name, counts)
    generic = beside.generic_of(made.derivation, symbolic=False)
    yield from beside.published_grids(made.robot, counts, None, generic, symbolic=False)


def shown_structures(made: Generation) -> Iterator[tuple[str, Markup]]:
    """(title, picture) of the structure of the inertia matrix, as its program tells."""
    for function in made.derivation.module.functions:
        if function.kind == "inertia_matrix":
            for found in structures(function):
                yield found.result.meaning, tables.structure(found.structure, free=made.robot.has_free_joints)


def parameter_table(robot: Robot) -> Markup:
    """The base inertial parameters, or why there are none."""
    try:
        found = base_parameters(robot)
    except SymgenError as error:
        return Markup("<p>{}</p>").format(str(error))
    return tables.table(replace(found.grid, notes=tuple(found.notes)))


def _languages(made: Generation) -> Iterator[str]:
    """What was run of the code in the page's language."""
    for written in made.written:
        if written.report is None:
            yield f"{written.title}: not run when this page was made: {written.reason}"
        else:
            for line in report_lines(written.report, ()):
                yield f"{written.title}, the code in this page: {line}"


def write_page(path: str | Path, text: str, *, force: bool = False) -> Path:
    """Write a page to a file, whole or not at all; only pages of symgen's are replaced unless `force` is set."""
    if not isinstance(path, str | Path) or not str(path):
        raise InputError(f"report: expected the path of a file, found {path!r}"[:200])
    place = Path(path)
    if place.is_dir():
        raise InputError(f"{place} is a directory; expected the path of a page, such as {place / 'robot.html'}")
    if not force and (place.exists() or place.is_symlink()) and not _is_page(place):
        raise InputError(
            f"{place} is there already, and symgen did not write it; give --force to replace it, or choose another path"
        )
    (written,) = write_files(place.parent, {place.name: text}, remedy="choose another path")
    return written


def _is_page(place: Path) -> bool:
    try:
        with place.open("rb") as stream:
            return MARK.encode() in stream.read(_HEAD)
    except OSError:
        return False


__all__: Sequence[str] = ("Page", "report", "write_page")
