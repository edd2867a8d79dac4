import type {ZPage} from './zpages.js';

export interface StatuszParts {
  /** Of the server, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of the program that runs, as in `1.36.2`. */
  readonly binaryVersion: string;
  /** Whose API is served, as in `1.36`. */
  readonly release: string;
  /** First parts of the paths that people debug with, in order. */
  readonly paths: readonly string[];
}

/** Since when the server runs, what it is, and where to look next. */
export function statusz({startedAt, binaryVersion, release, paths}: StatuszParts): ZPage {
  const goVersion = `node${process.version}`;
  const uptime = () => Math.max(0, Math.floor((Date.now() - startedAt) / 1000));
  return {
    kind: 'Statusz',
    lines: () => [
      '',
      `Started: ${unixDate(startedAt)}`,
      `Up: ${hours(uptime())}`,
      `Go version: ${goVersion}`,
      `Binary version: ${binaryVersion}`,
      `Emulation version: ${release}`,
      `Paths: ${paths.join(' ')}`,
    ],
    fields: () => ({
      startTime: new Date(startedAt).toISOString().replace(/\.\d+/, ''),
      uptimeSeconds: uptime(),
      goVersion,
      binaryVersion,
      emulationVersion: release,
      paths: [...paths],
    }),
  };
}

/** As `date` writes it. */
function unixDate(millis: number): string {
  const [weekday, day, month, year, time] = new Date(millis).toUTCString().split(/,? /) as [string, string, string, string, string];
  return `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} UTC ${year}`;
}

function hours(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}
