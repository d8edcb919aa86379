"""Draw the observer's position into the frames (POVBench's O-Plot, section 5.4)."""

from dataclasses import replace

from agents.frame import Frame
from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints
from graphs.intervention import intervention
from tools.camera import project
from tools.markers import Disc, disc_radius


@intervention(needs=("cameras", "observer"))
def mark_observer(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:  # noqa: ARG001
    """Draws a red disc where the observer object is, in every frame that shows it (O-Plot)."""
    observer = hints.observer
    assert observer is not None

    def marked(frame: Frame) -> Frame:
        if frame.id not in observer.visible_in or frame.id not in hints.cameras:
            return frame
        place = project(hints.cameras[frame.id], [observer.position])
        if not place.in_front[0]:
            return frame
        width, height = frame.size
        x, y = (place.points[0] * (width, height)).astype(int).tolist()
        return replace(frame, picture=frame.picture.with_markers(Disc(x, y, disc_radius(frame.size))))

    frames = tuple(marked(frame) if frame.source == "original" else frame for frame in situation.frames)
    return replace(situation, frames=frames).with_note("interventions/mark_observer.j2")
