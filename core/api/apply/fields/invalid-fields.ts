/** A `FieldsV1` or an entry of managed fields that cannot be read. Its message says what is wrong with it. */
export class InvalidFields extends Error {
  override readonly name = 'InvalidFields';
}
