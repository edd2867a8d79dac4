import type {LibraryNode} from './library-node.js';

interface TypeOf {
  readonly kind: string;
  readonly valueType?: TypeOf;
  fieldLazy(value: unknown, name: unknown, node: unknown, evaluator: unknown): unknown;
}

interface Checker {
  check(node: unknown, context: unknown): TypeOf;
  checkAccessOnType(node: unknown, context: unknown, type: TypeOf | undefined, allowMissing?: boolean): TypeOf;
  getType(name: string): TypeOf;
  createError(code: string, message: string, node: unknown): Error;
}

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
  debugType(value: unknown): TypeOf;
}

interface HasMacro {
  readonly args: readonly LibraryNode[];
}

/** `has(e.f)` for any expression `e`. The library accepts only chains of members, and does not check whether such a field can exist. */
export function replaceHas(node: LibraryNode): void {
  if (node.op !== 'call' || (node.args as readonly unknown[])[0] !== 'has' || !node.meta.macro) return;
  const {args} = node.meta.macro as HasMacro;
  node.setMeta('macro', {args, async: false, typeCheck, evaluate});
}

function typeCheck(checker: Checker, {args}: HasMacro, context: unknown): TypeOf {
  const [selection] = args;
  if (selection?.op !== '.' && selection?.op !== '.?')
    throw checker.createError('invalid_macro_argument', 'invalid argument to has() macro', selection);
  const type = checker.check((selection.args as unknown[])[0], context);
  checker.checkAccessOnType(selection, context, type.kind === 'optional' ? type.valueType : type, selection.op === '.?');
  return checker.getType('bool');
}

function evaluate(evaluator: Evaluator, {args}: HasMacro, context: unknown): boolean {
  const selection = args[0]!;
  const [operand, name] = selection.args as readonly unknown[];
  const value = evaluator.run(operand, context);
  const found = evaluator.debugType(value).fieldLazy(value, name, selection, evaluator);
  return isOptional(found) ? found.hasValue() : found !== undefined;
}

function isOptional(value: unknown): value is {hasValue(): boolean} {
  return typeof value === 'object' && value !== null && 'hasValue' in value;
}
