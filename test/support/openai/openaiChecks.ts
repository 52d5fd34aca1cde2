/** Validates requests as an OpenAI-compatible server would. Each check returns its complaints. */
import { isRecord } from '../../../domain/isRecord.ts';

export interface FlacInfo {
  sampleRate: number;
  channels: number;
  bits: number;
  seconds: number;
}

const CHAT_FIELDS = ['model', 'messages', 'response_format'];
const SPEECH_FIELDS = [
  'model',
  'file',
  'language',
  'prompt',
  'response_format',
  'timestamp_granularities[]',
  'chunking_strategy',
  'known_speaker_names[]',
  'known_speaker_references[]',
];

export function checkChat(body: unknown): string[] {
  if (!isRecord(body)) return ['the body is not an object'];
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  const complaints = unknownFields(Object.keys(body), CHAT_FIELDS);
  if (typeof body['model'] !== 'string') complaints.push('no model');
  if (!isRecord(messages[0]) || messages[0]['role'] !== 'system')
    complaints.push('the first message is not the system message');
  const parts = messages.flatMap((message) =>
    isRecord(message) && Array.isArray(message['content']) ? (message['content'] as unknown[]) : [],
  );
  const images = parts.filter((part) => isRecord(part) && part['type'] === 'image_url');
  if (images.length > 8) complaints.push('more than 8 images');
  return [
    ...complaints,
    ...images.flatMap(checkImage),
    ...checkFormat(body['response_format'], JSON.stringify(messages)),
  ];
}

function checkImage(part: unknown): string[] {
  const image = isRecord(part) && isRecord(part['image_url']) ? part['image_url'] : {};
  const complaints = ['low', 'high', undefined].includes(image['detail'] as string) ? [] : ['bad detail'];
  const data = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+={0,2})$/.exec(String(image['url']))?.[1];
  const isJpeg = data !== undefined && Buffer.from(data, 'base64').subarray(0, 3).toString('hex') === 'ffd8ff';
  return isJpeg ? complaints : [...complaints, 'an image is not a JPEG data URL'];
}

function checkFormat(format: unknown, messages: string): string[] {
  if (format === undefined) return [];
  if (!isRecord(format)) return ['bad response_format'];
  if (format['type'] === 'json_object')
    return /json/i.test(messages) ? [] : ['json_object needs the word JSON in a message'];
  const spec = format['json_schema'];
  if (format['type'] !== 'json_schema' || !isRecord(spec)) return ['bad response_format'];
  const complaints = /^[A-Za-z0-9_-]{1,64}$/.test(String(spec['name'])) ? [] : ['bad schema name'];
  if (spec['strict'] !== true) complaints.push('the schema is not strict');
  return [...complaints, ...checkStrictSchema(spec['schema'], '#')];
}

/** Checks the rules of strict mode: all properties required, no additional ones, no unknown keywords. */
function checkStrictSchema(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [`${path} is not a schema`];
  const known = ['type', 'description', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
  const complaints = unknownFields(Object.keys(schema), known).map((complaint) => `${path}: ${complaint}`);
  if (schema['type'] === 'array') return [...complaints, ...checkStrictSchema(schema['items'], `${path}/items`)];
  if (schema['type'] !== 'object') return complaints;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  if (schema['additionalProperties'] !== false) complaints.push(`${path}: additionalProperties is not false`);
  const required = Array.isArray(schema['required']) ? [...(schema['required'] as string[])].sort() : [];
  if (required.join() !== Object.keys(properties).sort().join())
    complaints.push(`${path}: not all properties are required`);
  return [
    ...complaints,
    ...Object.entries(properties).flatMap(([name, inner]) => checkStrictSchema(inner, `${path}/${name}`)),
  ];
}

export function checkEmbeddings(body: unknown): string[] {
  if (!isRecord(body)) return ['the body is not an object'];
  if ('modality' in body) return checkInfinity(body);
  if ('embedding_type' in body) return checkJina(body);
  const complaints = unknownFields(Object.keys(body), ['model', 'input', 'encoding_format']);
  const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [];
  if (body['encoding_format'] !== 'float') complaints.push('encoding_format is not float');
  if (input.length === 0 || input.length > 2_048) complaints.push('a wrong number of inputs');
  if (input.some((text) => typeof text !== 'string' || text === '')) complaints.push('an input is not a text');
  return complaints;
}

/** Checks the form in which Infinity accepts texts or pictures. */
function checkInfinity(body: Record<string, unknown>): string[] {
  const complaints = unknownFields(Object.keys(body), ['model', 'input', 'encoding_format', 'modality']);
  const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [];
  const isFit = body['modality'] === 'image' ? /^data:image\/jpeg;base64,[A-Za-z0-9+/=]+$/ : /^(?!data:)./;
  if (!['image', 'text'].includes(String(body['modality']))) complaints.push('an unknown modality');
  if (input.length === 0 || !input.every((part) => isFit.test(String(part))))
    complaints.push('an input of another kind');
  return complaints;
}

/** Checks the form in which Jina accepts texts and pictures. */
function checkJina(body: Record<string, unknown>): string[] {
  const complaints = unknownFields(Object.keys(body), ['model', 'input', 'embedding_type', 'normalized']);
  const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [];
  const isFit = (part: unknown): boolean =>
    isRecord(part) && (typeof part['text'] === 'string' || /^[A-Za-z0-9+/]+=*$/.test(String(part['image'])));
  if (input.length === 0 || !input.every(isFit)) complaints.push('an input is neither a text nor a picture');
  return complaints;
}

export function checkModerations(body: unknown): string[] {
  if (!isRecord(body)) return ['the body is not an object'];
  const input: unknown[] = Array.isArray(body['input']) ? body['input'] : [];
  const images = input.filter((part) => isRecord(part) && part['type'] === 'image_url');
  const complaints = unknownFields(Object.keys(body), ['model', 'input']);
  if (input.length === 0) complaints.push('no input');
  if (images.length > 1) complaints.push('Number of images exceeds maximum of 1');
  if (input.some((part) => typeof part === 'string' && part.length > 2_000)) complaints.push('a text is too long');
  return [...complaints, ...images.flatMap(checkImage)];
}

export async function checkSpeech(form: FormData | null): Promise<string[]> {
  if (!form) return ['the body is not a form'];
  const complaints = unknownFields([...form.keys()], SPEECH_FIELDS);
  const file = form.get('file');
  if (!(file instanceof File)) return [...complaints, 'no file'];
  if (file.size > 25 * 1024 * 1024) complaints.push('the file is over 25 MiB');
  const flac = await readFlac(file);
  if (!flac) return [...complaints, 'the file is not FLAC'];
  if (flac.sampleRate !== 16_000 || flac.channels !== 1 || flac.bits !== 16)
    complaints.push('the audio is not mono 16 kHz 16 bit');
  if (flac.seconds > 600.5) complaints.push('the audio is over ten minutes');
  const format = form.get('response_format');
  if (format === 'diarized_json' && flac.seconds > 30 && form.get('chunking_strategy') !== 'auto')
    complaints.push('chunking_strategy is required');
  if (format !== 'verbose_json' && form.has('timestamp_granularities[]'))
    complaints.push('timestamp_granularities needs verbose_json');
  if (format === 'diarized_json' && form.has('prompt')) complaints.push('diarized_json accepts no prompt');
  return [...complaints, ...(await checkKnownSpeakers(form))];
}

/** Checks the voice samples for OpenAI's diarising model: up to four, each of 2 to 10 s. */
async function checkKnownSpeakers(form: FormData): Promise<string[]> {
  const names = form.getAll('known_speaker_names[]');
  const samples = await readVoiceSamples(form);
  if (names.length === 0 && samples.length === 0) return [];
  const isFit = samples.every((sample) => sample !== null && sample.seconds >= 2 && sample.seconds <= 10);
  return [
    ...(form.get('response_format') === 'diarized_json' ? [] : ['known speakers need diarized_json']),
    ...(names.length === samples.length && names.length <= 4 ? [] : ['a wrong number of known speakers']),
    ...(isFit ? [] : ['a sample is not FLAC of 2 to 10 s']),
  ];
}

/** Reads the headers of the voice samples; null stands for one that is not a data URL of FLAC. */
export function readVoiceSamples(form: FormData | null): Promise<(FlacInfo | null)[]> {
  return Promise.all(
    (form?.getAll('known_speaker_references[]') ?? []).map((url) => {
      const data = /^data:audio\/flac;base64,([A-Za-z0-9+/]+=*)$/.exec(String(url))?.[1] ?? '';
      return readFlac(new File([Buffer.from(data, 'base64')], 'sample.flac'));
    }),
  );
}

/** Reads the stream's own header (FLAC format, METADATA_BLOCK_STREAMINFO); returns null when it is not FLAC. */
export async function readFlac(file: File): Promise<FlacInfo | null> {
  const head = Buffer.from(await file.slice(0, 26).arrayBuffer());
  if (head.length < 26 || head.subarray(0, 4).toString() !== 'fLaC') return null;
  const packed = head.readBigUInt64BE(18);
  const sampleRate = Number(packed >> 44n);
  return {
    sampleRate,
    channels: Number((packed >> 41n) & 7n) + 1,
    bits: Number((packed >> 36n) & 31n) + 1,
    seconds: Number(packed & 0xf_ffff_ffffn) / sampleRate,
  };
}

function unknownFields(names: string[], known: string[]): string[] {
  return names.filter((name) => !known.includes(name)).map((name) => `unknown field ${name}`);
}
