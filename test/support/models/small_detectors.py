"""Small detectors of transformers and a small SAM 2, randomly initialised, of well under a million weights, in folders
as they are published."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import (
    BertConfig,
    BertTokenizer,
    CLIPTokenizer,
    DetrConfig,
    DetrForObjectDetection,
    DetrImageProcessorPil,
    DFineConfig,
    DFineForObjectDetection,
    GroundingDinoConfig,
    GroundingDinoForObjectDetection,
    GroundingDinoImageProcessorPil,
    HGNetV2Config,
    MMGroundingDinoConfig,
    MMGroundingDinoForObjectDetection,
    Owlv2Config,
    Owlv2ForObjectDetection,
    Owlv2ImageProcessorPil,
    OwlViTConfig,
    OwlViTForObjectDetection,
    OwlViTImageProcessorPil,
    ResNetConfig,
    RTDetrConfig,
    RTDetrForObjectDetection,
    RTDetrImageProcessorPil,
    RTDetrResNetConfig,
    Sam2Config,
    Sam2Model,
    Sam2VideoConfig,
    Sam2VideoModel,
    SwinConfig,
)

LABELS = ("mug", "dining table")
CLOSED = ["rt_detr", "d_fine", "detr"]
WITH_TEXTS = ["grounding-dino", "mm-grounding-dino", "owlvit", "owlv2"]
SAM = ["sam2", "sam2_video"]
FIRST_WORD = 1030  # number of the token "mug" of Grounding DINO; "dining" and "table" follow
LONGEST = 32  # tokens of a text for Grounding DINO
SAM_SIDE = 64

_NAMES = dict(enumerate(LABELS))
_WORDS = ["mug", "dining", "table", "red", "large"]
_GAIN = 0.5  # of a layer: those of a fresh network are so small that all images look alike to it


def saved_detector(kind: str, folder: Path) -> Path:
    """Saves a detector with what belongs to it in the folder, and returns that."""
    torch.manual_seed(0)
    network, processor, tokenizer = _MAKERS[kind]()
    with torch.no_grad():
        for name, weights in network.named_parameters():
            if weights.ndim > 1:
                inputs = 1 if "query_position" in name else weights[0].numel()
                weights.normal_(0.0, _GAIN / inputs**0.5)
            elif "norm" not in name:
                weights.normal_(0.0, 0.5 * _GAIN)
    network.save_pretrained(folder)
    if processor is not None:
        processor.save_pretrained(folder)
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)
    return folder


def noise(seed: int, height: int = 60, width: int = 80) -> NDArray[np.uint8]:
    """Returns an image that differs for each seed."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def change(file: Path, **values: Any) -> None:
    """Changes values in a file of a network."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def letter_tokenizer() -> BertTokenizer:
    """Returns a tokenizer for Grounding DINO whose tokens are letters."""
    letters = sorted(set("".join(_WORDS)))
    return BertTokenizer(vocab=_bert_vocabulary([*letters, *(f"##{letter}" for letter in letters)]))


_DETR: dict[str, Any] = {
    "d_model": 16,
    "encoder_layers": 1,
    "encoder_ffn_dim": 16,
    "encoder_attention_heads": 2,
    "decoder_layers": 2,
    "decoder_ffn_dim": 16,
    "decoder_attention_heads": 2,
    "num_queries": 12,
}
_RT_DETR: dict[str, Any] = {
    **_DETR,
    "encoder_hidden_dim": 16,
    "encoder_in_channels": [16, 16, 16],
    "decoder_in_channels": [16, 16, 16],
    "decoder_n_points": 2,
    "num_denoising": 0,
    "id2label": _NAMES,
}


def _rt_detr() -> tuple[Any, Any, Any]:
    backbone = RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 16, 16],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage2", "stage3", "stage4"],
    )
    network = RTDetrForObjectDetection(RTDetrConfig(backbone_config=backbone, **_RT_DETR))
    return network, RTDetrImageProcessorPil(size={"height": 64, "width": 96}), None


def _d_fine() -> tuple[Any, Any, Any]:
    backbone = HGNetV2Config(
        embedding_size=8,
        stem_channels=[3, 8, 8],
        hidden_sizes=[8, 16, 16, 16],
        depths=[1, 1, 1, 1],
        stage_in_channels=[8, 8, 16, 16],
        stage_mid_channels=[8, 8, 8, 8],
        stage_out_channels=[8, 16, 16, 16],
        stage_num_blocks=[1, 1, 1, 1],
        stage_numb_of_layers=[1, 1, 1, 1],
        out_features=["stage2", "stage3", "stage4"],
    )
    network = DFineForObjectDetection(DFineConfig(backbone_config=backbone, **_RT_DETR))
    return network, RTDetrImageProcessorPil(size={"height": 64, "width": 96}), None


def _detr() -> tuple[Any, Any, Any]:
    backbone = ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 16, 16],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=["stage4"],
    )
    config = DetrConfig(
        backbone_config=backbone,
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        id2label=_NAMES,
        **_DETR,
    )
    processor = DetrImageProcessorPil(size={"shortest_edge": 64, "longest_edge": 96})
    return DetrForObjectDetection(config), processor, None


def _grounding(config: type[Any], network: type[Any]) -> tuple[Any, Any, Any]:
    backbone = SwinConfig(
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 2, 2],
        window_size=4,
        image_size=64,
        out_indices=[2, 3, 4],
    )
    vocabulary = _bert_vocabulary(_WORDS)
    text = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    # The group normalisation of these networks has 32 groups.
    about = {**_DETR, "d_model": 32, "encoder_attention_heads": 4, "decoder_attention_heads": 4}
    made = config(
        backbone_config=backbone,
        text_config=text,
        max_text_len=LONGEST,
        encoder_n_points=2,
        decoder_n_points=2,
        **about,
    )
    processor = GroundingDinoImageProcessorPil(size={"shortest_edge": 64, "longest_edge": 96})
    return network(made), processor, BertTokenizer(vocab=vocabulary)


def _bert_vocabulary(words: Sequence[str]) -> dict[str, int]:
    """Returns a vocabulary whose special tokens have the numbers that Grounding DINO takes for granted."""
    special = {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]", 1012: ".", 1029: "?"}
    names = [special.get(number, f"[unused{number}]") for number in range(FIRST_WORD)]
    return {name: number for number, name in enumerate([*names, *words])}


def _owl(config: type[Any], network: type[Any], processor: type[Any]) -> tuple[Any, Any, Any]:
    letters = sorted(set("".join(_WORDS)))
    pieces = ["!", *letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    size: dict[str, Any] = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }
    text = {
        **size,
        "vocab_size": len(pieces),
        "max_position_embeddings": 16,
        "bos_token_id": len(pieces) - 2,
        "eos_token_id": len(pieces) - 1,
    }
    vision = {**size, "image_size": 64, "patch_size": 16}
    tokenizer = CLIPTokenizer(
        vocab={piece: number for number, piece in enumerate(pieces)},
        merges=[],
        pad_token="!",
        model_max_length=16,
    )
    made = network(config(text_config=text, vision_config=vision, projection_dim=16))
    return made, processor(size={"height": 64, "width": 64}, crop_size={"height": 64, "width": 64}), tokenizer


def _sam(config: type[Any], network: type[Any], **more: Any) -> tuple[Any, Any, Any]:
    backbone = {
        "model_type": "sam2_hiera_det_model",
        "hidden_size": 8,
        "image_size": [SAM_SIDE] * 2,
        "blocks_per_stage": [1, 1, 2, 1],
        "embed_dim_per_stage": [8, 16, 32, 64],
        "num_attention_heads_per_stage": [1, 1, 1, 1],
        "window_size_per_stage": [4, 4, 4, 4],
        "global_attention_blocks": [3],
        "window_positional_embedding_background_size": [4, 4],
    }
    vision = {
        "model_type": "sam2_vision_model",
        "backbone_config": backbone,
        "backbone_channel_list": [64, 32, 16, 8],
        "backbone_feature_sizes": [[SAM_SIDE // part] * 2 for part in (4, 8, 16)],
        "fpn_hidden_size": 32,
    }
    made = config(
        vision_config=vision,
        prompt_encoder_config={"hidden_size": 32, "image_size": SAM_SIDE},
        mask_decoder_config={
            "hidden_size": 32,
            "mlp_dim": 32,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
        **more,
    )
    return network(made), None, None


def _sam_for_videos() -> tuple[Any, Any, Any]:
    return _sam(
        Sam2VideoConfig,
        Sam2VideoModel,
        image_size=SAM_SIDE,
        memory_attention_hidden_size=32,
        memory_attention_num_layers=1,
        memory_attention_feed_forward_hidden_size=32,
        memory_attention_rope_feat_sizes=[4, 4],
        memory_encoder_hidden_size=32,
        memory_encoder_output_channels=16,
        mask_downsampler_embed_dim=32,
        memory_fuser_embed_dim=32,
        memory_fuser_intermediate_dim=32,
        memory_fuser_num_layers=1,
    )


_MAKERS: dict[str, Callable[[], tuple[Any, Any, Any]]] = {
    "rt_detr": _rt_detr,
    "d_fine": _d_fine,
    "detr": _detr,
    "grounding-dino": lambda: _grounding(GroundingDinoConfig, GroundingDinoForObjectDetection),
    "mm-grounding-dino": lambda: _grounding(MMGroundingDinoConfig, MMGroundingDinoForObjectDetection),
    "owlvit": lambda: _owl(OwlViTConfig, OwlViTForObjectDetection, OwlViTImageProcessorPil),
    "owlv2": lambda: _owl(Owlv2Config, Owlv2ForObjectDetection, Owlv2ImageProcessorPil),
    "sam2": lambda: _sam(Sam2Config, Sam2Model),
    "sam2_video": _sam_for_videos,
}
"""Functions that make network, image processor and tokenizer, by the type in the configuration."""
