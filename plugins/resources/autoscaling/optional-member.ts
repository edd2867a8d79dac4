/** An object with one member, or an empty one if there is no value. */
export function optional<K extends string, T>(name: K, value: T | null | undefined): {[P in K]?: T} {
  return value === undefined || value === null ? {} : ({[name]: value} as {[P in K]?: T});
}
