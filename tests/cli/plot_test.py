#!/usr/bin/env python3
"""PDF and PNG are what they claim to be: vector and embedded fonts, size, and the same words.

usage: plot_test.py PROGRAM

Exit status 77 if the program was built without librsvg.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))


def equipoise(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def png_size(path):
    with open(path, "rb") as file:
        head = file.read(24)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return struct.unpack(">II", head[16:24])


def png_resolution(path):
    """Pixels a metre, as the chunk pHYs says them; its checksum is right."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", data[at + 4:at + 13])
    assert (across, unit) == (down, 1)
    assert struct.unpack(">I", data[at + 13:at + 17])[0] == zlib.crc32(data[at:at + 13])
    return across


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.chdir(cls.folder.name)
        made = equipoise("run", "threshold-2", "--network", "torus:4x4", "--loads",
                         "spike:tokens=64", "--record", "run.json", "--record-level", "full",
                         "--quiet")
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        cls.folder.cleanup()

    def plot(self, *arguments):
        done = equipoise("plot", "run.json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def svg_size(self, *arguments):
        self.plot("-o", "size.svg", *arguments)
        with open("size.svg", encoding="utf-8") as file:
            found = re.search(r'width="(\d+)" height="(\d+)"', file.read())
        return int(found[1]), int(found[2])

    def test_png_has_three_pixels_a_unit_or_the_width_asked_for(self):
        for steps in ([], ["--steps", "1..3"]):
            width, height = self.svg_size(*steps)
            self.plot("-o", "run.png", *steps)
            self.assertEqual(png_size("run.png"), (3 * width, 3 * height))
            self.plot("-o", "run.png", "--width", "450", *steps)
            found = png_size("run.png")
            self.assertEqual(found[0], 450)
            self.assertLessEqual(abs(found[1] - 450 * height / width), 1)

    def test_a_picture_too_large_is_refused_before_it_is_drawn(self):
        self.plot("-o", "tall.svg", "--steps", "moves")
        done = equipoise("plot", "run.json", "-o", "tall.png", "--steps", "moves", "--width",
                         "20000")
        width, height = self.svg_size("--steps", "moves")
        if height > width:
            self.assertEqual(done.returncode, 2)
            self.assertIn("at most 20000 pixels", done.stderr)
            self.assertFalse(os.path.exists("tall.png"))
        else:
            self.assertEqual(done.returncode, 0)

    def test_numbers_are_not_written_without_their_picture(self):
        done = equipoise("plot", "run.json", "-o", "huge.png", "--size", "2000x2000",
                         "--resolution", "2400", "--data", "huge.csv")
        self.assertEqual(done.returncode, 2)
        self.assertIn("at most 20000 pixels", done.stderr)
        self.assertFalse(os.path.exists("huge.png") or os.path.exists("huge.csv"))

    def test_a_size_in_millimetres_is_that_of_every_format(self):
        self.plot("-o", "sized.svg", "--size", "120x80")
        with open("sized.svg", encoding="utf-8") as file:
            self.assertIn('width="120mm" height="80mm"', file.read())
        for resolution in (150, 300, 600):
            self.plot("-o", "sized.png", "--size", "120x80", "--resolution", str(resolution))
            self.assertEqual(png_size("sized.png"), (round(120 / 25.4 * resolution),
                                                     round(80 / 25.4 * resolution)))
            self.assertEqual(png_resolution("sized.png"), round(resolution / 0.0254))

    def test_a_picture_says_its_resolution_whether_or_not_it_was_asked_for(self):
        self.plot("-o", "run.png")
        self.assertEqual(png_resolution("run.png"), round(288 / 0.0254))

    @unittest.skipUnless(shutil.which("pdfinfo"), "poppler-utils are not there")
    def test_a_pdf_has_the_size_and_the_font_asked_for(self):
        self.plot("-o", "sized.pdf", "--size", "85x60", "--font", "DejaVu Serif")
        info = subprocess.run(["pdfinfo", "sized.pdf"], capture_output=True, text=True,
                              check=True).stdout
        size = re.search(r"Page size: +([\d.]+) x ([\d.]+)", info)
        self.assertAlmostEqual(float(size[1]), 85 / 25.4 * 72, delta=0.01)
        self.assertAlmostEqual(float(size[2]), 60 / 25.4 * 72, delta=0.01)
        fonts = subprocess.run(["pdffonts", "sized.pdf"], capture_output=True, text=True,
                               check=True).stdout
        if "DejaVu Serif" in subprocess.run(["fc-list"], capture_output=True, text=True,
                                            check=False).stdout:
            self.assertIn("DejaVuSerif", fonts)
        for font in fonts.splitlines()[2:]:
            self.assertRegex(font, r" yes +yes +(yes|no) ")

    @unittest.skipUnless(shutil.which("pdftotext"), "poppler-utils are not there")
    def test_pdf_holds_words_in_fonts_of_its_own(self):
        self.plot("-o", "run.pdf")
        with open("run.pdf", "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")
        words = subprocess.run(["pdftotext", "run.pdf", "-"], capture_output=True, text=True,
                               check=True).stdout
        for word in ("torus:4x4: 16 nodes", "threshold-2", "discrepancy (tokens)",
                     "steps (single-port)", "promised by a theorem"):
            self.assertIn(word, words)
        self.assertRegex(words, "≤ ?4")
        fonts = subprocess.run(["pdffonts", "run.pdf"], capture_output=True, text=True,
                               check=True).stdout.splitlines()[2:]
        self.assertTrue(fonts)
        for font in fonts:
            self.assertRegex(font, r" yes +yes +(yes|no) ")  # embedded, and only what is used
        images = subprocess.run(["pdfimages", "-list", "run.pdf"], capture_output=True, text=True,
                                check=True).stdout.splitlines()[2:]
        self.assertEqual(images, [])
        info = subprocess.run(["pdfinfo", "run.pdf"], capture_output=True, text=True,
                              check=True).stdout
        width, height = self.svg_size()
        size = re.search(r"Page size: +([\d.]+) x ([\d.]+)", info)
        self.assertAlmostEqual(float(size[1]), 0.75 * width, delta=0.1)
        self.assertAlmostEqual(float(size[2]), 0.75 * height, delta=0.1)


if __name__ == "__main__":
    if not json.loads(equipoise("doctor", "--json").stdout)["rsvg"]:
        print("the program was built without librsvg")
        sys.exit(77)
    unittest.main()
