import {forbiddenField, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf} from '../../../sdk/validation/index.js';

const numbered = Array.from({length: 15}, (_signal, index) => index + 1);
const linux = [
  ...['SIGABRT', 'SIGALRM', 'SIGBUS', 'SIGCHLD', 'SIGCLD', 'SIGCONT', 'SIGFPE', 'SIGHUP', 'SIGILL', 'SIGINT', 'SIGIO', 'SIGIOT', 'SIGKILL'],
  ...['SIGPIPE', 'SIGPOLL', 'SIGPROF', 'SIGPWR', 'SIGQUIT', 'SIGSEGV', 'SIGSTKFLT', 'SIGSTOP', 'SIGSYS', 'SIGTERM', 'SIGTRAP', 'SIGTSTP'],
  ...['SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGUSR2', 'SIGVTALRM', 'SIGWINCH', 'SIGXCPU', 'SIGXFSZ', 'SIGRTMIN', 'SIGRTMAX'],
  ...numbered.map((number) => `SIGRTMIN+${number}`),
  ...numbered.slice(0, 14).map((number) => `SIGRTMAX-${number}`),
];
const windows = ['SIGKILL', 'SIGTERM'];

/** Errors in the signal that stops a container: which there are depends on the operating system. @param os as the pod names it */
export function validateStopSignal(signal: string, os: string | undefined, path: FieldPath): FieldError[] {
  if (os === undefined) return [forbiddenField(path, 'may not be set for containers with empty `spec.os.name`')];
  if (os === 'windows') return validateOptionalOneOf(signal, windows, path);
  return os === 'linux' ? validateOptionalOneOf(signal, linux, path) : [];
}
