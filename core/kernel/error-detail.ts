/** The text of anything that was thrown, on one line, for use inside a message. */
export function errorDetail(thrown: unknown): string {
  const text = thrown instanceof Error ? (thrown.message === '' ? thrown.name : thrown.message) : String(thrown);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
