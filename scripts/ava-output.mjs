// Reads what ava's default reporter prints. (Its TAP reporter breaks off when a test file times out.)

const passLine = /^ {2}✔ (.*?)(?: \(([\d.]+(?:ms|s|m)(?: [\d.]+s)?)\))?$/;
const failLine = /^ {2}✘ \[fail\]: (.*)$/;
/** Had not ended when ava gave up waiting. */
const pendingLine = /^ {2}◌ (.*)$/;
const skipLine = /^ {2}- \[(?:skip|todo)\] (.*)$/;
const endLine = /^ {2}(?:✘ (?=\S+ exited (?:with a non-zero exit code|due to))|Failed to exit when running )(\S+\.test\.js)/;
const logLine = /^ {4,}(?:ℹ|\S)/;
const summaryRule = /^ {2}─$/;
/** What stands before the path of a file that shares a process (scripts/test-groups.mjs). */
const ofGroup = /^(?:\S+ › )*?\d\d-\S+ › /;
const summaryCount = /^ {2}(\d+) (.+)$/;

/** Counts of a run, from its closing lines and from the lines before. */
export class AvaOutput {
  passed = 0;
  failedLines = 0;
  skipped = 0;
  /** Test files whose process ended otherwise than it should. */
  ended = [];
  summary = undefined;
  #held = undefined;
  /** What was reported of a failure (its title, and words of the error behind it), and the title alone, as the closing lines have it. */
  #titles = new Map();

  /**
   * Takes one line. Answers what to show of it: a list of lines (passed tests are left out unless they logged something),
   * the title when the line reports a test, and `hasFailed` when it has failed.
   */
  line(text) {
    const pass = passLine.exec(text);
    if (pass) {
      this.passed++;
      this.#held = text;
      return {show: [], title: pass[1]};
    }
    const held = this.#held;
    this.#held = undefined;
    const pending = pendingLine.exec(text);
    const fail = failLine.exec(text) ?? pending;
    if (fail) {
      this.failedLines++;
      this.#titles.set(fail[1], pending?.[1]);
      return {show: [text], title: fail[1], hasFailed: true};
    }
    const skip = skipLine.exec(text);
    if (skip) {
      this.skipped++;
      return {show: [text], title: skip[1]};
    }
    const end = endLine.exec(text);
    if (end && !this.ended.includes(end[1])) this.ended.push(end[1]);
    if (summaryRule.test(text)) this.summary = new Map();
    if (this.summary) this.#takeTitle(text.slice(2));
    const count = this.summary && summaryCount.exec(text);
    if (count) this.summary.set(count[2], Number(count[1]));
    return {show: held && logLine.test(text) ? [held, text] : [text], title: undefined};
  }

  /** The title of a failure that was reported so; undefined where the closing lines did not have it. */
  titleOf(reported) {
    return this.#titles.get(reported);
  }

  #takeTitle(line) {
    for (const [reported, known = ''] of this.#titles)
      if (line.length > known.length && `${reported} `.startsWith(`${line} `)) this.#titles.set(reported, line);
  }

  /** Everything that is not as it should be, in the words of the summary, with counts. Known failures are none. */
  failures() {
    const kinds =
      /^(?:(?:tests?|hooks?) failed|uncaught exceptions?|unhandled rejections?|tests? remained pending after a timeout|internal errors?)$/;
    return [...(this.summary ?? [])].filter(([kind]) => kinds.test(kind));
  }

  /** Number of failures: what the summary counts, and at least the tests that were seen failing or left without an end. */
  get failed() {
    return Math.max(
      this.failedLines,
      this.failures().reduce((sum, [, count]) => sum + count, 0),
    );
  }
}

/**
 * Tells which test file a title belongs to. ava puts the file's path before a title, without what all files of the run
 * share and with ` › ` between the parts; a run of one file has no prefix.
 */
export class TitleOwners {
  #bySuffix = new Map();
  #only;

  /** `files`: paths of compiled test files, with slashes. */
  constructor(files) {
    this.#only = files.length === 1 ? files[0] : undefined;
    for (const file of files) {
      const parts = file.replace(/\.test\.js$/, '').split('/');
      for (let from = 0; from < parts.length; from++) {
        const suffix = parts.slice(from).join(' › ');
        // Two files with the same end: only a longer prefix tells them apart.
        this.#bySuffix.set(suffix, this.#bySuffix.has(suffix) ? undefined : file);
      }
    }
  }

  ownerOf(title) {
    return this.#split(title).file;
  }

  /** The title as it is in a run of its file alone. */
  titleAlone(title) {
    return this.#split(title).rest;
  }

  #split(title) {
    if (this.#only !== undefined) return {file: this.#only, rest: title};
    const parts = title.replace(ofGroup, '').split(' › ');
    for (let length = parts.length - 1; length > 0; length--) {
      const file = this.#bySuffix.get(parts.slice(0, length).join(' › '));
      if (file !== undefined) return {file, rest: parts.slice(length).join(' › ')};
    }
    return {};
  }
}
