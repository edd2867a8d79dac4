/** The rows of a dump, by the names of its columns: aligned, with a comma after each cell but the last. */
export function dumpRows(text: string): Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const cellsOf = (line: string) => line.split(',').map((cell) => cell.trim());
  const names = cellsOf(head);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}
