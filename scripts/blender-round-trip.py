"""
A baked file through Blender: imports it, measures the volume that Blender's own armature and shape keys show, gives every vertex a painted
attribute, and exports it again. Outside of CI; docs/engines.md has what it printed.

  apt install blender python3-numpy
  npx isoskin demo finger -o finger.glb && npx isoskin bake finger.glb -o kept.glb
  blender -b --python-exit-code 1 -P scripts/blender-round-trip.py -- kept.glb again.glb
  npx isoskin measure again.glb
"""

import sys

import numpy

# Debian pairs Blender 3.4, whose importer still says numpy.bool, with a NumPy that has dropped it.
for name, kind in (("bool", bool), ("int", int), ("float", float)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

import bpy  # noqa: E402

source, target = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
skinned = [each for each in bpy.data.objects if each.type == "MESH" and each.data.shape_keys][0]
print("shape keys:", ", ".join(key.name for key in skinned.data.shape_keys.key_blocks))


def measure_volume():
    shown = skinned.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    mesh.calc_loop_triangles()
    corners = ([mesh.vertices[i].co for i in triangle.vertices] for triangle in mesh.loop_triangles)
    volume = sum(a.dot(b.cross(c)) / 6 for a, b, c in corners)
    shown.to_mesh_clear()
    return volume


scene = bpy.context.scene
scene.frame_set(0)
rest = measure_volume()
worst = 0.0
for action in bpy.data.actions:
    scene.frame_end = max(scene.frame_end, int(action.frame_range[1]))
for frame in range(scene.frame_end + 1):
    scene.frame_set(frame)
    change = measure_volume() / rest - 1
    worst = change if abs(change) > abs(worst) else worst
print(f"largest change of the volume in Blender, first clip: {100 * worst:+.4f} %")

# The exporter of 3.4 writes an underscore before every name; later ones export the names that begin with one.
paint = skinned.data.attributes.new("ISOSKIN_GAMMA" if bpy.app.version < (3, 6, 0) else "_ISOSKIN_GAMMA", "FLOAT", "POINT")
for n, item in enumerate(paint.data):
    item.value = 0.25 + 0.5 * (n % 2)
bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_attributes=True)
