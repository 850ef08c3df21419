/** What is wrong with a file, an option or a mesh, written for the person who gets it. */
export class IsoskinError extends Error {
  /** Stable, machine-readable name of the fault, for example `POSITION_NOT_FINITE`. */
  readonly code: string;
  /** Where it is: a mesh, vertex, joint or JSON path. Empty when the fault concerns the whole input. */
  readonly place: string;

  constructor(code: string, message: string, place = '', options?: ErrorOptions) {
    super(shorten(place ? `${message} (${place})` : message), options);
    this.name = 'IsoskinError';
    this.code = code;
    this.place = place;
  }
}

/** Names in files can be of any length; a sentence about them cannot. */
function shorten(sentence: string): string {
  return sentence.length <= 1000 ? sentence : `${sentence.slice(0, 600)} … ${sentence.slice(-300)}`;
}

/** Something that was wrong with the input and has been mended, or that the user should know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly place: string;
}
