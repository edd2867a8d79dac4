import {asSaid, inJson, isSame, ofAnyRelease, ofGoValues, sorted, withoutGoPath, withoutPart, withoutValue} from './cause-words.js';
import type {Known} from './known.js';

/** What stays different of causes that are about the same fields. */
export const knownOfCauses: readonly Known[] = [
  {
    reason: 'The same is refused in the same words, in another order, or each thing once where Kubernetes says it twice.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, own, asSaid),
  },
  {
    reason: 'Values that are supported are listed in alphabetical order.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, own, sorted),
  },
  {
    reason: 'Characters that cannot be shown are written as JSON writes them, not as Go does.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, own, inJson),
  },
  {
    reason: 'What is wrong with a part of a list or a struct is said with the name of that part; Kubernetes shows the whole.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, own, withoutPart),
  },
  {
    reason: 'A value is shown as it is in JSON; Kubernetes shows a struct of Go with all of its members, or as Go prints it.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, ofGoValues(real, own), (message) => withoutValue(sorted(message, ''), '')),
  },
  {
    reason: 'A value of the wrong type is named by its place in the object; Go names embedded structs, and none for what reads itself.',
    is: ({kind, real, own}) => kind === 'causes' && isSame(real, own, (message) => withoutGoPath(withoutValue(message, ''), '')),
  },
  {
    reason: 'Single fields are refused in the words of another release.',
    is: ({kind, real, own}) =>
      kind === 'causes' && isSame(real, own, (message, field) => ofAnyRelease(withoutValue(message, field), field)),
  },
];
