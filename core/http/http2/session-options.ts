import type {ServerSessionOptions} from 'node:http2';
import type {HttpLimits} from '../limits/http-limits.js';

/** Headers and bytes of heads beyond the limits that are still answered with 431; of streams with more only the end is heard. */
const answeredHeaders = 32;
const answeredBytes = 16 * 1024;

/** Least size of a frame that a peer may have to split its heads into (RFC 9113, 6.5.2), in bytes. */
const leastFrameBytes = 16 * 1024;
/** CONTINUATION frames of one head that Node's library takes. */
const continuations = 8;

/** What a client may send ahead of what is read, of one stream and of all: as much as Node reads ahead of a body of HTTP/1.1. */
export const windowBytes = 64 * 1024 - 1;

/** Node adds 10 MB of its own by default: everything that it keeps of a connection but what is counted by limits. */
const librarySessionBytes = 10_000_000;

/** Frames that are no valid ones, and streams that there is no room for, after which Node ends a connection. */
const invalidFrames = 100;
const rejectedStreams = 100;

/** Streams that a client may reset at once and then in a second: as the library of Node has it by default, said here so that it stays. */
const resetBurst = 1000;
const resetsPerSecond = 33;
export const resets = {burst: resetBurst, perSecond: resetsPerSecond} as const;

/** Streams of one connection, if the limit leaves it open: as kube-apiserver has it. */
const usualStreams = 100;

/** Streams of one connection at once. */
export function streamsOf({http2MaxStreamsPerConnection: given}: HttpLimits): number {
  return given === 0 ? usualStreams : given;
}

/** Bounds of the head of a request. @param isAuthorized whether the client has shown a valid certificate */
export function headBytesOf(limits: HttpLimits, isAuthorized: boolean): number {
  return isAuthorized ? limits.maxHeaderBytesWithCertificate : limits.maxHeaderBytes;
}

/** With what a session of HTTP/2 begins: decision 108 has the reason of each bound. */
export function sessionOptions(limits: HttpLimits, isAuthorized: boolean): ServerSessionOptions {
  const streams = streamsOf(limits);
  const headBytes = headBytesOf(limits, isAuthorized) + answeredBytes;
  const sessionBytes = librarySessionBytes + 2 * limits.maxUnsentBytesPerConnection + streams * windowBytes;
  const options = {
    maxSessionMemory: Math.ceil(sessionBytes / 1_000_000),
    // The method, path, scheme and authority are headers there.
    maxHeaderListPairs: limits.maxHeaders + 4 + answeredHeaders,
    maxSessionInvalidFrames: invalidFrames,
    maxSessionRejectedStreams: rejectedStreams,
    streamResetBurst: resets.burst,
    streamResetRate: resets.perSecond,
    settings: {
      maxConcurrentStreams: streams,
      maxHeaderListSize: headBytes,
      initialWindowSize: windowBytes,
      maxFrameSize: Math.max(leastFrameBytes, Math.ceil(headBytes / continuations)),
    },
  };
  return options;
}
