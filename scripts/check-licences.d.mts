export interface LicenceRow {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly by: ReadonlySet<string>;
}
export function listLicences(root?: string): LicenceRow[];
export function isPermissive(license: string): boolean;
export function writeTable(rows: readonly LicenceRow[]): string;
