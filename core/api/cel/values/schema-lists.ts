/** A list whose order does not matter (`x-kubernetes-list-type: set`). */
export class SetList extends Array<unknown> {
  // What its methods make is a list like others.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** A list whose items have keys (`x-kubernetes-list-type: map`), which are told by their names in the items. */
export class KeyedList extends Array<unknown> {
  keyNames: readonly string[] = [];

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}
