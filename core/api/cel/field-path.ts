const step = /\.([A-Za-z_][A-Za-z0-9_-]*)|\['((?:[^'\\]|\\.)*)'\]/y;

/** The members along the `fieldPath` of a rule (`.a.b`, `.a['b.c']`); undefined if it is malformed. */
export function fieldPathMembers(path: string): readonly string[] | undefined {
  const members: string[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    members.push(match[1] ?? match[2]!.replace(/\\(.)/g, '$1'));
  }
  return members.length > 0 ? members : undefined;
}
