import {closeSync, fstatSync, openSync, readSync} from 'node:fs';
import {getSourceMapsSupport, setSourceMapsSupport} from 'node:module';

/** Compilers write where the map is at the end of a file. */
const tailBytes = 512;

/**
 * Maps stacks of a compiled plugin to its source files and lines. TypeScript that Node.js runs directly keeps its lines.
 * Applies to the process, for modules loaded from now on; costs nothing unless a plugin has a source map.
 *
 * @param file the module that is about to be imported
 */
export function traceToSources(file: string): void {
  if (getSourceMapsSupport().enabled || !namesMap(file)) return;
  setSourceMapsSupport(true, {nodeModules: true, generatedCode: false});
}

function namesMap(file: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const tail = Buffer.alloc(tailBytes);
    const length = readSync(descriptor, tail, 0, tailBytes, Math.max(0, fstatSync(descriptor).size - tailBytes));
    return tail.toString('latin1', 0, length).includes('//# sourceMappingURL=');
  } catch {
    // The import reports the problem.
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
