import {badRequest, methodNotAllowed, pathNotFound, type Logger} from '../../../sdk/index.js';
import {parseLevels, type LogLevels} from '../../logs/log-levels.js';
import {readBody} from '../body/read-body.js';
import type {RequestLogSettings} from '../filters/log-requests.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondJson, respondText} from '../response/respond.js';

/** Longest setting, in bytes. */
const longestBody = 4096;

/** A flag that can be read and changed while the server runs. */
interface DebugFlag {
  read(): unknown;
  /** @throws RangeError in words that follow the flag's name */
  write(text: string): void;
}

/**
 * What of the log can be changed without a restart, until the server stops: `GET` and `PUT` of `/debug/flags/log-level` and `/debug/flags/log-requests`, whose bodies are what
 * the command line takes. (Kubernetes has `/debug/flags/v`.) Authorized like every path.
 */
export class DebugFlags {
  readonly #flags: ReadonlyMap<string, DebugFlag>;
  readonly #logger: Logger;

  constructor(levels: LogLevels, requestLog: RequestLogSettings, logger: Logger) {
    this.#logger = logger;
    this.#flags = new Map<string, DebugFlag>([
      [
        'log-level',
        {
          read: () => ({default: levels.default, components: levels.components}),
          write: (text) => levels.set(parseLevels(text)),
        },
      ],
      [
        'log-requests',
        {
          read: () => requestLog.isOn,
          write: (text) => {
            if (text !== 'true' && text !== 'false') throw new RangeError(`must be true or false, not ${JSON.stringify(text)}`);
            requestLog.isOn = text === 'true';
          },
        },
      ],
    ]);
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length === 3 && segments[0] === 'debug' && segments[1] === 'flags';
  }

  /** @throws 400 for a value that the flag does not take, 404 for another flag, 405 for other methods */
  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const {method, info, path, user} = exchange;
    const name = info.segments[2]!;
    const flag = this.#flags.get(name);
    if (!flag) throw pathNotFound();
    if (method === 'GET') return respondJson(exchange, 200, flag.read());
    if (method !== 'PUT') throw methodNotAllowed({group: '', resource: path.slice(1)}, info.verb);
    const body = await readBody(exchange);
    if (body.length > longestBody) throw badRequest(`${name} takes at most ${longestBody} bytes`);
    const text = body.toString('utf8').trim();
    try {
      flag.write(text);
    } catch (error) {
      if (error instanceof RangeError) throw badRequest(`${name} ${error.message}`);
      throw error;
    }
    this.#logger.info({flag: name, value: text, user: user.username}, 'a flag was changed');
    respondText(exchange, 200, `successfully set ${name} to ${text}\n`);
  }
}
