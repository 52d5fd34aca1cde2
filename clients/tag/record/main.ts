/** Entry point of tag-record.js: leaves the recorder where tag.js looks for it. */
import type { RecordingHost } from '../recording.ts';
import { startRecording } from './recorder.ts';

const host = (window as { svc?: RecordingHost }).svc;
if (host) host.recorder = startRecording;
