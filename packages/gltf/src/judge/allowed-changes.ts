/** The paths of a file's JSON that each kind of writing may change; everything else stays as it was. See `listChanges`. */
export const ALLOWED = {
  /** New objects at the end of their lists: nothing that was there changes its number. */
  additions: [
    /^\+(accessors|bufferViews|buffers|extensionsUsed|extensionsRequired)(\[\d+\])?$/,
    /^\+meshes\[\d+\]$/,
    // A copy of a mesh is named wherever the mesh is.
    /^\+extensions\.VRM\.(blendShapeMaster\.blendShapeGroups\[\d+\]\.binds|firstPerson\.meshAnnotations)\[\d+\]$/,
    /^\+animations\[\d+\]\.channels\[\d+\]$/,
  ],
  /** Packing: one buffer, with what lay in files beside the model. */
  container: [
    /^~buffers\[0\]\.byteLength$/,
    /^[-+~]buffers\[\d+\](\.(uri|byteLength))?$/,
    /^[+~]bufferViews\[\d+\]\.(buffer|byteOffset)$/,
    /^[+~]bufferViews\[\d+\]\.extensions\.(EXT|KHR)_meshopt_compression\.(buffer|byteOffset)$/,
    /^-images\[\d+\]\.uri$/,
    /^\+images\[\d+\]\.(bufferView|mimeType)$/,
  ],
  compressed: [/^\+bufferViews\[\d+\]\.extensions(\.EXT_meshopt_compression)?$/, /^\+buffers\[\d+\](\.extensions.*)?$/],
  targets: [
    /^\+meshes\[\d+\]\.primitives\[\d+\]\.targets(\[\d+\](\.\w+)?)?$/,
    /^[-+~]meshes\[\d+\]\.weights(\[\d+\])?$/,
    /^\+meshes\[\d+\]\.extras$/,
    /^[-+~]meshes\[\d+\]\.extras\.targetNames(\[\d+\])?$/,
    /^[-+~]nodes\[\d+\]\.weights\[\d+\]$/,
    /^~nodes\[\d+\]\.mesh$/,
  ],
  /** The driver of the shapes. */
  amounts: [/^\+extensions$/, /^[-+~]extensions\.ISOSKIN_amounts(\b.*)?$/],
  /** What every triangle belongs to. */
  regions: [
    /^\+meshes\[\d+\](\.primitives\[\d+\])?\.extras$/,
    /^[-+~]meshes\[\d+\](\.primitives\[\d+\])?\.extras\.isoskin(\..*)?$/,
  ],
  tracks: [
    /^\+animations\[\d+\]\.(channels|samplers)(\[\d+\])?$/,
    /^~animations\[\d+\]\.channels\[\d+\]\.sampler$/,
    /^[+~]animations\[\d+\]\.samplers\[\d+\]\.(input|output|interpolation)$/,
  ],
  skinWeights: [
    /^[-+~]meshes\[\d+\]\.primitives\[\d+\]\.(attributes|extensions\.KHR_draco_\w+\.attributes)\.(JOINTS|WEIGHTS)_\d+$/,
  ],
  /** A finer mesh: every attribute of the primitive is new. */
  refined: [
    /^~meshes\[\d+\]\.primitives\[\d+\]\.attributes\.\w+$/,
    /^[+~]meshes\[\d+\]\.primitives\[\d+\]\.(indices|mode)$/,
    /^~meshes\[\d+\]\.primitives\[\d+\]\.targets\[\d+\]\.\w+$/,
    /^-meshes\[\d+\]\.primitives\[\d+\]\.extensions\.KHR_draco_mesh_compression$/,
  ],
  /** No skin: meshes on nodes of their own in the default scene. */
  cache: [
    /^[-~]meshes\[\d+\]\.primitives\[\d+\](\.(attributes|targets|extensions)(\.\w+|\[\d+\])*)?$/,
    /^~meshes\[\d+\]\.primitives\[\d+\]\..*$/,
    /^[-+~]meshes\[\d+\]\.(weights|extras\.targetNames)(\[\d+\])?$/,
    /^-nodes\[\d+\]\.(mesh|skin|weights)$/,
    /^\+nodes\[\d+\]$/,
    /^\+scenes\[\d+\]\.nodes(\[\d+\])?$/,
    /^-skins$/,
    /^[-~]animations\[\d+\]\.channels\[\d+\].*$/,
  ],
  snapshot: [/^-animations$/, /^[-+~]nodes\[\d+\]\.(translation|rotation|scale|matrix)(\[\d+\])?$/],
  /** A skeleton from elsewhere. */
  rig: [
    /^\+(skins|animations|scenes|scene|nodes)(\[\d+\])?$/,
    /^[+~]nodes\[\d+\]\.skin$/,
    /^\+scenes\[\d+\]\.nodes(\[\d+\])?$/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

export type AllowedKind = keyof typeof ALLOWED;
