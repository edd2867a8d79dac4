/** An entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  /** The rule is evaluated also where there is no old value; `oldSelf` is an optional value then. */
  readonly optionalOldSelf?: boolean;
}
