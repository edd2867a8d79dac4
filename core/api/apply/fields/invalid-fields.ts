/** An invalid `FieldsV1` or entry of managed fields. The message says what is wrong with it. */
export class InvalidFields extends Error {
  override readonly name = 'InvalidFields';
}
