/** Objects of one type, and what a client that shows all columns has to see of them. */
export interface WideTableCase {
  /** Path of the collection; `NS` stands for the namespace of the test. */
  readonly path: string;
  readonly kind: string;
  readonly objects: readonly {readonly object: object; readonly status?: object}[];
  /** Name, type, format and priority of each column. */
  readonly columns: readonly (readonly [name: string, type: string, format: string, priority: number])[];
  /** Cells of each object, in the order of names; the age of a new object is `AGE`. */
  readonly rows: readonly (readonly unknown[])[];
}

/** The column of the name that nearly all Tables begin with. */
export const nameColumn = ['Name', 'string', 'name', 0] as const;

/** A column that is always shown. */
export const column = (name: string, type = 'string') => [name, type, '', 0] as const;

/** A column that is shown in the wide form. */
export const wide = (name: string) => [name, 'string', '', 1] as const;

/** The column of the age. */
export const ageColumn = column('Age');
