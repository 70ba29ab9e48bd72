"""Reads what test_io_vtp_sample writes with VTK itself.

check_vtp.py SAMPLE_PROGRAM; exit status 77 when VTK is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

COUNT = 100


def import_vtk():
    """VTK of this Python, else of the system's."""
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
        return vtkXMLPolyDataReader
    except ImportError:
        other = shutil.which("python3", path=os.defpath)
        if other is None or "DEM_CHECK_VTP" in os.environ:
            print("skipped: no VTK")
            sys.exit(77)
        os.environ["DEM_CHECK_VTP"] = "1"
        os.execv(other, [other] + sys.argv)


def read(reader_class, path):
    reader = reader_class()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def check_point(poly, i):
    data = poly.GetPointData()
    frozen = i % 10 == 9
    expected = {
        "radius": (0.01 * (i % 7 + 1),),
        "velocity": (0.0,) * 3 if frozen else tuple(-0.5 * k + i for k in range(3)),
        "spin": (0.0,) * 3 if frozen else tuple(0.25 * k - i for k in range(3)),
        "force": (0.0,) * 3,
        "material": (i % 3,),
        "frozen": (int(frozen),),
    }
    for name, values in expected.items():
        assert data.GetArray(name).GetTuple(i) == values, (name, i)
    assert poly.GetPoint(i) == tuple(i + 0.1 * k for k in range(3)), i
    cell = poly.GetCell(i)
    assert cell.GetNumberOfPoints() == 1 and cell.GetPointId(0) == i, i


def main():
    reader_class = import_vtk()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        poly = read(reader_class, os.path.join(folder, "sample.vtp"))
        empty = read(reader_class, os.path.join(folder, "empty.vtp"))
        sets = xml.etree.ElementTree.parse(os.path.join(folder, "sample.pvd")).findall("Collection/DataSet")
    assert poly.GetNumberOfPoints() == COUNT and poly.GetNumberOfVerts() == COUNT
    assert empty.GetNumberOfPoints() == 0
    assert poly.GetFieldData().GetArray("TimeValue").GetTuple1(0) == 0
    for i in range(COUNT):
        check_point(poly, i)
    ids = poly.GetPointData().GetArray("id")
    assert len({ids.GetVariantValue(i).ToString() for i in range(COUNT)}) == COUNT
    assert [s.attrib for s in sets] == [{"timestep": "0", "file": "sample.vtp"}]
    print("read back", COUNT, "particles")


main()
