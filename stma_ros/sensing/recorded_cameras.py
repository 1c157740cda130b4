"""The cameras of a recording: one, or one for colour and one for depth, which is registered to colour."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from stma_ros.sensing.calibration import Calibration, calibration, of_image_size
from stma_ros.sensing.depth_registration import DepthRegistration
from stma_ros.sensing.mapping_file import BagMapping
from stma_ros.sensing.topic_map import TopicMap
from stma_ros.sensing.transforms import Rigid, TransformBuffer, product
from stma_ros.types.standard import CameraInfo, Image


class RecordedCameras:
    """Calibrations, and where the depth camera is beside the colour camera."""

    def __init__(self, chosen: TopicMap, mapping: BagMapping) -> None:
        """Makes cameras whose calibrations are still to come.

        Args:
            chosen: Topics of the recording.
            mapping: What the mapping file says of it.
        """
        self._mapping = mapping
        self.are_two = bool(chosen.depth_camera_info)
        images = {chosen.camera_info: (chosen.color,) if self.are_two else (chosen.color, chosen.depth)}
        if self.are_two:
            images[chosen.depth_camera_info] = (chosen.depth,)
        # Topics of the images by those of their calibrations.
        self._images: Mapping[str, Sequence[str]] = images
        self._chosen = chosen
        self._recorded: dict[str, CameraInfo] = {}  # by the topics of the images
        self._found: dict[str, Calibration] = {}  # likewise

    @property
    def topics(self) -> Collection[str]:
        """The topics of the calibrations."""
        return self._images.keys()

    def knows(self, topic: str) -> bool:
        """Returns whether the calibration of a topic has come."""
        return self._images[topic][0] in self._found

    def add(self, topic: str, info: CameraInfo) -> None:
        """Takes the calibration of a topic.

        Raises:
            ConfigurationError: The camera is not calibrated, or its distortion model is not supported.
        """
        for image in self._images[topic]:
            self._recorded[image] = info
            self._calibrate(image, info)

    def fit(self, topic: str, image: Image) -> None:
        """Takes the calibration of a topic's images for an image of it, which may be binned or a part of the sensor's.

        Raises:
            ConfigurationError: As `add`.
        """
        known, recorded = self._found[topic].info, self._recorded[topic]
        if (known.width, known.height) == (image.width, image.height):
            return
        info = of_image_size(recorded, image.width, image.height)
        if info is not recorded:
            self._calibrate(topic, info)

    def _calibrate(self, image: str, info: CameraInfo) -> None:
        (others,) = (images for images in self._images.values() if image in images)
        self._found[image] = calibration(info, image, self._mapping.rectified, others)

    @property
    def are_calibrated(self) -> bool:
        """Whether all calibrations have come."""
        return all(map(self.knows, self._images))

    @property
    def are_distorted(self) -> bool:
        """Whether distortion has to be taken out of images."""
        return any(each.is_distorted for each in self._found.values())

    @property
    def calibration(self) -> Calibration:
        """The calibration of the camera that frames are of, for its colour images."""
        return self._found[self._chosen.color]

    def optical(self, recorded: str) -> str:
        """Returns the optical frame of the camera that frames are of. recorded: frame of the depth images."""
        return (self.calibration.info.header.frame_id or recorded) if self.are_two else recorded

    def are_linked(self, recorded: str, stamp: int, transforms: TransformBuffer) -> bool:
        """Returns whether it is known where depth is beside colour at a stamp [ns]."""
        if not self.are_two or self._mapping.depth_to_color is not None:
            return True
        return transforms.reaches(recorded, self.optical(recorded), stamp)

    def rectified_depth(self, image: Image, recorded: str, stamp: int, transforms: TransformBuffer) -> Image:
        """Returns a depth image without distortion, as the camera that frames are of would see it.

        Args:
            image: 16UC1 [mm], with the header of the result.
            recorded: Frame of the recorded image.
            stamp: Its time [ns].
            transforms: Of the recording.

        Raises:
            BadImageError: The image does not fit its calibration.
            NoTransformError: It is not known where depth is beside colour.
        """
        recorded_camera = self._found[self._chosen.depth]
        if not self.are_two:
            return recorded_camera.rectified(image)
        given = self._mapping.depth_to_color
        if given is not None:
            steps: tuple[Rigid, ...] = (Rigid.of_angles(given.xyz, given.rpy),)
        else:
            steps = transforms.steps(recorded, self.optical(recorded), stamp)
        registration = DepthRegistration(recorded_camera, self.calibration.info)
        return registration.registered(image, product(*steps), image.header)
