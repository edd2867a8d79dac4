/** The flag that sets a limit, without hyphens in front: `max-connections` for `maxConnections`. */
export function limitFlag(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
