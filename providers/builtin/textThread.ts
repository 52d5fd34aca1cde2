/** Entry of the thread for large texts. */
import { serve } from './threads/serve.ts';
import { runTextJob, type TextJobKind, type TextJobs } from './textJobs.ts';

interface TextRequest {
  kind: TextJobKind;
  input: TextJobs[TextJobKind]['input'];
}

serve((request: TextRequest) => runTextJob(request.kind, request.input));
