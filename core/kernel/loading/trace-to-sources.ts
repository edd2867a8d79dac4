import {closeSync, fstatSync, openSync, readSync} from 'node:fs';
import {getSourceMapsSupport, setSourceMapsSupport} from 'node:module';

/** Compilers write where the map is at the end of a file. */
const tailBytes = 512;

/**
 * Has stacks name the sources of a plugin that was compiled: its files and lines, not those of what the compiler wrote. TypeScript that Node.js runs by itself keeps its lines.
 * Applies to the process, and to what is loaded from now on; costs nothing unless a plugin says where its source map is.
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
    // The import says what is wrong with it.
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
