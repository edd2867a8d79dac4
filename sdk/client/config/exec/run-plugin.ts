import {spawn} from 'node:child_process';
import {execRequest} from './exec-credential.js';
import type {ExecPlugin} from './exec-plugin.js';

/** Longer output is rejected. */
const maximumOutputBytes = 1 << 20;
/** How much of its standard error an error message shows. */
const shownComplaint = 2000;

/**
 * Runs a credential plugin and returns its output. If it is given standard input, it also gets standard error, so that it can prompt the
 * user; otherwise its standard error becomes part of the error message if it fails.
 *
 * @throws Error: the plugin must not be run, is not installed, failed, or printed too much; the signal's reason if it fires
 */
export function runPlugin(plugin: ExecPlugin, signal: AbortSignal): Promise<string> {
  if (plugin.refusal !== undefined) return Promise.reject(new Error(plugin.refusal));
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const child = spawn(plugin.command, plugin.args, {
    env: {...plugin.environment, [plugin.infoVariable]: execRequest(plugin)},
    stdio: plugin.interactive ? ['inherit', 'pipe', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const output: Buffer[] = [];
  let bytes = 0;
  child.stdout!.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maximumOutputBytes) output.push(chunk);
    else child.kill();
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-shownComplaint)));
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (signal.aborted) reject(signal.reason as Error);
    else
      reject(new Error(error.code === 'ENOENT' ? notInstalled(plugin) : `cannot run ${plugin.command}: ${error.message}`, {cause: error}));
  });
  child.on('close', (code, killedBy) => {
    if (bytes > maximumOutputBytes) reject(new Error('its output is too long for a credential'));
    else if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
    else
      reject(
        new Error(
          `it ended with ${code === null ? `signal ${killedBy}` : `exit code ${code}`}${complaint.trim() === '' ? '' : `: ${complaint.trim()}`}`,
        ),
      );
  });
  return promise;
}

function notInstalled({command, installHint}: ExecPlugin): string {
  const sentence = `the command ${command} was not found`;
  return installHint === undefined ? sentence : `${sentence}\n\n${installHint.trim()}`;
}
