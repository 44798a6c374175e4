"""Builds the extension of the Python package by CMake, for pip and for wheels.

EQUIPOISE_CORE names an extension that is built already, which is then taken as it is.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    """The one extension, equipoise._core."""

    def build_extension(self, ext):
        built = os.environ.get("EQUIPOISE_CORE") or self.built_by_cmake()
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, target)

    def built_by_cmake(self):
        folder = Path(self.build_temp).resolve()
        subprocess.check_call([
            "cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16", "-DEQUIPOISE_MPI=OFF",
            "-DEQUIPOISE_TESTS=OFF", "-DEQUIPOISE_PYTHON=ON",
            f"-DPython_EXECUTABLE={sys.executable}",
        ])
        subprocess.check_call(["cmake", "--build", folder, "--target", "equipoise_python"])
        (built,) = (folder / "python" / "equipoise").glob("_core.*.so")
        return built


version = re.search(r"project\(Equipoise VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
(ROOT / "build").mkdir(exist_ok=True)
setup(version=version.group(1),
      ext_modules=[Extension("equipoise._core", [])],
      cmdclass={"build_ext": BuildByCMake},
      options={"egg_info": {"egg_base": "build"}, "build": {"build_base": "build/wheel"}})
