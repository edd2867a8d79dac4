/** `no pods`, `1 pod`, `2 pods`. */
export function counted(count: number, word: string): string {
  return `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`;
}
