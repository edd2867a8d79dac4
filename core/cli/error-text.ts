import {shownText} from '../../sdk/values/shown-text.js';
import {KernelError} from '../kernel/kernel-error.js';
import {originOf} from '../../sdk/errors/error-origin.js';

/**
 * The text of an error for the user: its message, and for system errors what they mean. No stack. One line, whatever a server or a file has
 * put into it; a `KernelError` has one for each problem.
 */
export function errorText(error: unknown): string {
  return KernelError.is(error) ? error.message : shownText(messageOf(error));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const {code, address, port, path} = error as NodeJS.ErrnoException & {address?: string; port?: number};
  const place = address === undefined ? '' : ` ${address}${port === undefined ? '' : `:${port}`}`;
  const file = path === undefined ? '' : ` ${path}`;
  switch ((error as NodeJS.ErrnoException).syscall === undefined ? undefined : code) {
    case 'EADDRINUSE':
      return `the address${place} is in use; choose another port with --secure-port`;
    case 'EADDRNOTAVAIL':
      return `this machine has no address${place}; choose another with --bind-address`;
    case 'EACCES':
      return place === '' ? `access to${file} is denied` : `listening on${place} is not allowed; choose another port with --secure-port`;
    case 'ECONNREFUSED':
      return `nothing answers at${place}`;
    case 'ENOENT':
      return `there is no${file === '' ? ' such file' : file}`;
    case 'ENOSPC':
      return `no space is left on the disk${file === '' ? '' : ` for${file}`}`;
    default:
      return error.message === '' ? error.name : error.message;
  }
}

/** The text of an error that nothing caught, with the plugin that it came out of. */
export function bugText(error: unknown): string {
  const origin = originOf(error);
  return origin ? `plugin ${origin.plugin}: ${errorText(error)}` : errorText(error);
}
