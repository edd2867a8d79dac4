/** Whether a text is of a pattern in which `*` stands for anything. */
export function matches(glob: string, text: string): boolean {
  const parts = glob.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
