/** Whether a name is in the set that a scope's operator describes. As a label selector decides: what is missing (an empty name) is not in any set. */
export function isSelected(name: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    default:
      return false;
  }
}
