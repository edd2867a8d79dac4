/** An entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  /** The rule is evaluated even without an old value; `oldSelf` is then an optional value. */
  readonly optionalOldSelf?: boolean;
}
