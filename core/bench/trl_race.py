"""TRL's GRPOTrainer as a contestant, where TRL is installed; Waggle never needs it.

The same base model in the same precision, the same adapter, prompts and number of tokens. Its
defaults stand but for what would make its work larger or smaller than ours: the model's end token
may not be drawn, and activations are not computed twice.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

from core.bench.contest import Lap
from core.bench.job import BenchJob
from core.bench.material import every_other
from core.bench.memory import finish
from core.bench.racing import answer
from core.models.policy.loading import ADAPTED


def race(job: BenchJob, pipe: IO[bytes]) -> None:
    """Whole training steps."""
    train(job, lambda seconds, drawing: _tell(job, pipe, seconds, drawing))


def race_update(job: BenchJob, pipe: IO[bytes]) -> None:
    """What of a training step is neither drawing nor rewarding."""
    device, tokens = job.compute.device, job.work.tokens
    train(job, lambda seconds, drawing: answer(pipe, Lap(seconds - drawing, tokens), device))


def _tell(job: BenchJob, pipe: IO[bytes], seconds: float, drawing: float) -> None:
    parts = {"sampling": drawing, "learning": seconds - drawing}
    answer(pipe, Lap(seconds, job.work.tokens, parts=parts), job.compute.device)


def train(job: BenchJob, tell: Callable[[float, float], None]) -> None:
    """Take a step for every line on stdin; tells its seconds and those of sampling in it."""
    import torch
    from peft import LoraConfig
    from transformers import (
        AutoModelForCausalLM,
        PreTrainedTokenizerFast,
        TrainerCallback,
    )

    trl, datasets = import_module("trl"), import_module("datasets")  # where somebody has them
    trainer_class: Any = trl.GRPOTrainer
    spec, work = job.spec, job.work
    device, dtype = job.compute.device, job.compute.dtype
    folder = str(spec.folder)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    drawing = [0.0]

    class Timed(trainer_class):  # type: ignore[misc]  # not installed where this is checked
        def _generate_and_score_completions(self, inputs: Any) -> Any:  # noqa: ANN401 - TRL's own
            began = time.perf_counter()
            drawn = super()._generate_and_score_completions(inputs)
            drawing[0] += time.perf_counter() - began
            if drawn["completion_mask"].sum() != work.tokens:
                raise AssertionError(f"drew {drawn['completion_mask'].sum()} of {work.tokens}")
            return drawn

    class Turns(TrainerCallback):
        def on_step_begin(self, *_: object, **__: object) -> None:
            if not sys.stdin.readline():
                sys.exit()
            drawing[0] = 0.0
            self.began = time.perf_counter()

        def on_step_end(self, *_: object, **__: object) -> None:
            finish(device)
            tell(time.perf_counter() - self.began, drawing[0])

    with tempfile.TemporaryDirectory(prefix="waggle-trl-") as out:
        config = trl.GRPOConfig(
            output_dir=out,
            per_device_train_batch_size=job.rows,
            gradient_accumulation_steps=work.groups * work.members // job.rows,
            num_generations=work.members,
            max_completion_length=work.completion_tokens,
            generation_kwargs={"min_new_tokens": work.completion_tokens},
            learning_rate=spec.learning_rate,
            bf16=dtype == torch.bfloat16,
            gradient_checkpointing=False,
            max_steps=1_000_000,
            logging_steps=1_000_000,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=device.type == "cpu",
        )
        trainer = Timed(
            model=model,
            reward_funcs=lambda completions, **_: list(every_other(len(completions))),
            args=config,
            train_dataset=datasets.Dataset.from_list(
                [{"prompt": q.prompt.strip() + "\n"} for q in job.asked]
            ),
            processing_class=tokenizer,
            peft_config=LoraConfig(
                r=spec.lora_rank,
                lora_alpha=spec.lora_alpha,
                target_modules=list(ADAPTED),
                lora_dropout=0.0,
                task_type="CAUSAL_LM",
            ),
            callbacks=[Turns()],
        )
        trainer.train()
