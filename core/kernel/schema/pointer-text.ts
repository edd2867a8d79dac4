/** Turns a JSON pointer (and further member names) into the form in which users read paths: `a.b[0]["odd name"]`. */
export function pointerText(pointer: string, members: readonly string[] = []): string {
  const segments = pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  let path = '';
  for (const segment of [...segments, ...members]) {
    if (/^\d+$/.test(segment)) path += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${JSON.stringify(segment)}]`;
  }
  return path;
}
