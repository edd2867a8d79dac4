import {wireType, Writer, type ProtoWriter} from '../../protobuf/wire.js';
import {members, named} from './message-shape.js';
import {swaggerHead} from './swagger-head.js';
import {documentHead, pathItem, schema} from './swagger-messages.js';
import type {SwaggerForm} from './swagger-part.js';

/** Numbers of the fields into which parts are joined, and of the fields of their entries. */
const pathsField = 8;
const pathEntry = 2;
const definitionsField = 9;
const definitionEntry = 1;

const head = members(() => documentHead, 0);

/** OpenAPI v2 in the binary form: gnostic's message `openapi.v2.Document`. */
export const swaggerProtobuf: SwaggerForm = {
  paths: (paths) => written((writer) => named(pathItem)(writer, pathEntry, paths)),
  definition: (name, given) => written((writer) => named(schema)(writer, definitionEntry, {[name]: given})),
  document: (frame, paths, definitions) =>
    Buffer.concat([
      written((writer) => head(writer, swaggerHead(frame))),
      ...enclosed(pathsField, paths),
      ...enclosed(definitionsField, definitions),
    ]),
};

function written(write: (writer: ProtoWriter) => void): Buffer {
  const writer = Writer.create();
  write(writer);
  return writer.finish() as Buffer;
}

/** A message whose content already exists, in pieces. */
function enclosed(number: number, pieces: readonly Buffer[]): Buffer[] {
  const length = pieces.reduce((sum, {length: own}) => sum + own, 0);
  return [written((writer) => writer.uint32((number << 3) | wireType.bytes).uint32(length)), ...pieces];
}
