import type {CelFeatures} from '../features.js';
import {typeOf, type CelType} from '../types/cel-type.js';
import {addressLibrary} from './addresses.js';
import {authorizerLibrary, authorizerSelectorLibrary} from './authorizer.js';
import {conversionLibrary} from './conversions.js';
import {formatLibrary} from './formats.js';
import {includesLibrary} from './includes.js';
import {extendedListLibrary, listLibrary, setLibrary} from './lists.js';
import {acrossTypes, operatorLibrary} from './operators.js';
import {optionalLibrary, optionalListLibrary, twoVariableLibrary} from './optionals.js';
import type {FunctionDeclaration, Library} from './overload.js';
import {quantityLibrary} from './quantities.js';
import {regexLibrary} from './regex.js';
import {semverLibrary} from './semver.js';
import {firstStringLibrary, stringLibrary, textLibrary} from './strings.js';
import {timeLibrary} from './times.js';
import {urlLibrary} from './urls.js';

const libraries: readonly Library[] = [
  operatorLibrary,
  conversionLibrary,
  textLibrary,
  regexLibrary,
  timeLibrary,
  urlLibrary,
  listLibrary,
  authorizerLibrary,
  optionalLibrary,
  optionalListLibrary,
  quantityLibrary,
  firstStringLibrary,
  stringLibrary,
  setLibrary,
  addressLibrary,
  formatLibrary,
  authorizerSelectorLibrary,
  twoVariableLibrary,
  semverLibrary,
  extendedListLibrary,
  includesLibrary,
];

/** What all expressions with the same features can refer to. */
export interface Declarations {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Names of types, and the types of these names as values. */
  readonly types: ReadonlyMap<string, CelType>;
}

const made = new Map<string, Declarations>();

export function declarationsOf(features: CelFeatures, more: readonly Library[] = []): Declarations {
  const known = more.length === 0 ? made.get(features.key) : undefined;
  if (known) return known;
  const functions = new Map<string, FunctionDeclaration>();
  const types = new Map<string, CelType>();
  for (const {feature, functions: declared, types: named = []} of [...libraries, ...more]) {
    if (feature !== undefined && !features.has(feature)) continue;
    for (const declaration of declared) functions.set(declaration.name, merged(functions.get(declaration.name), declaration));
    for (const type of named) types.set(type.name, typeOf(type));
  }
  if (!features.has('comparisons-across-types'))
    for (const name of ['_<_', '_<=_', '_>_', '_>=_']) {
      const declaration = functions.get(name)!;
      functions.set(name, {...declaration, overloads: declaration.overloads.filter(({id}) => !acrossTypes.has(id))});
    }
  const declarations = {functions, types};
  if (more.length === 0) made.set(features.key, declarations);
  return declarations;
}

function merged(before: FunctionDeclaration | undefined, more: FunctionDeclaration): FunctionDeclaration {
  return before ? {...before, ...more, overloads: [...before.overloads, ...more.overloads]} : more;
}
