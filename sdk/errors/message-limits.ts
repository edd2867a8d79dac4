/**
 * How much a message shows of what a client sent. Characters, unless it says otherwise. Without these bounds a body of a megabyte decides how long its refusal
 * takes and how large it is.
 */
export const messageLimits = {
  /** Of one value. */
  value: 1024,
  /** Of a field's path, whose names may be a client's; a longer one is shortened in the middle. */
  path: 1000,
  /** Of one field error or cause. Messages of rules have up to 5 KiB. */
  fault: 8 * 1024,
  /** A validation stops after so many field errors. */
  foundFaults: 1000,
  /** So many of them are told, and as many as this text has room for, the first in any case. */
  toldFaults: 200,
  toldText: 64 * 1024,
  /** Of the message of a Status, and of its causes in all. */
  status: 96 * 1024,
} as const;

/** A text of at most so many characters: what is missing at its end is shown as `…`. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
