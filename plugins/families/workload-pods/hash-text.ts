const safeCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** An FNV-1 hash of data and a suffix, in characters that do not form words. The order of members does not count. */
export function hashText(data: unknown, suffix: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${canonical(data)}${suffix}`)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return [...String(hash >>> 0)].map((digit) => safeCharacters[digit.charCodeAt(0) % safeCharacters.length]).join('');
}

/** JSON with sorted members, so that all servers give a template the same name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint'
      ? String(member)
      : typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}
