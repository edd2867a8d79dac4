/** Maximum bytes of a text in an answer that an expression makes or that quotes one (Kubernetes' limit for `messageExpression`). */
const maximumBytes = 5 * 1024;

/** Whether an answer may contain a text that an expression made. */
export function isShort(text: string): boolean {
  return text.length <= maximumBytes && Buffer.byteLength(text) <= maximumBytes;
}

/** A text for an answer. Expressions, and the values in their errors, may be megabytes: of a longer text only the beginning is shown. */
export function shortText(text: string): string {
  return text.length <= maximumBytes ? text : `${text.slice(0, maximumBytes)}…`;
}
