"""A node of an ONNX graph with its inputs' values, and the table of translations."""

import onnx
import onnx.numpy_helper
import torch

import aten

OPERATORS = {}
DTYPES = {
    onnx.TensorProto.FLOAT: "f32", onnx.TensorProto.FLOAT16: "f16", onnx.TensorProto.BFLOAT16: "bf16",
    onnx.TensorProto.DOUBLE: "f64", onnx.TensorProto.INT64: "i64", onnx.TensorProto.INT32: "i32",
    onnx.TensorProto.INT16: "i16", onnx.TensorProto.INT8: "i8", onnx.TensorProto.UINT8: "u8", onnx.TensorProto.BOOL: "bool",
    onnx.TensorProto.FLOAT8E4M3FN: "f8_e4m3", onnx.TensorProto.FLOAT8E5M2: "f8_e5m2",
}


# Attributes without a bearing on the result, or judged by the result itself (a cast that saturates, or does not).
IGNORED = {
    "Cast": {"saturate", "round_mode"}, "CastLike": {"saturate"}, "Conv": {"kernel_shape"}, "ConvTranspose": {"kernel_shape"},
    "Dropout": {"seed"}, "MaxPool": {"storage_order"}, "Constant": {"value", "value_float", "value_floats", "value_int", "value_ints"},
    "BatchNormalization": {"momentum"}, "LayerNormalization": {"stash_type"}, "RMSNormalization": {"stash_type"},
    "GroupNormalization": {"stash_type"}, "QuantizeLinear": {"saturate"}, "Attention": {"qk_matmul_output_mode"},
}


class Untranslatable(Exception):
    """Why a node has no counterpart."""


def dtype_name(number):
    """A trace's name of an ONNX dtype."""
    if number not in DTYPES:
        raise Untranslatable(f"traces have no dtype {onnx.TensorProto.DataType.Name(number)}")
    return DTYPES[number]


def to_torch(array):
    """A tensor of an ONNX value, bit for bit."""
    if isinstance(array, onnx.TensorProto):
        dtype_name(array.data_type)
        array = onnx.numpy_helper.to_array(array)
    if array is None or isinstance(array, (list, dict)):
        raise Untranslatable("sequences and optionals are no tensors")
    dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    if dtype == onnx.TensorProto.STRING:
        raise Untranslatable("strings are no tensors")
    target = aten.BY_NAME[dtype_name(dtype)]
    data = torch.frombuffer(bytearray(array.tobytes()), dtype=target) if array.size else torch.empty(0, dtype=target)
    return data.reshape(array.shape)


class Node:
    """A node: inputs as tensors (None where left out), attributes, and `call`, which records."""

    def __init__(self, proto, inputs, opset, record):
        self.proto, self.opset, self.record = proto, opset, record
        self.inputs = inputs
        self.unread = {attribute.name for attribute in proto.attribute} - IGNORED.get(proto.op_type, set())
        self.attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in proto.attribute}

    def input(self, at):
        """An input, or None."""
        return self.inputs[at] if at < len(self.inputs) else None

    def attribute(self, name, default=None):
        """An attribute; text is decoded. One that no translation asks for makes the node untranslatable."""
        self.unread.discard(name)
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def wants(self, at):
        """Whether output `at` is asked for."""
        return at < len(self.proto.output) and self.proto.output[at] != ""

    def calls(self, op, **args):
        """Records a call; gives its results."""
        return self.record(op, args)

    def call(self, op, **args):
        """Records a call; gives its first result."""
        return self.calls(op, **args)[0]

    def ints(self, at, attribute, default=None):
        """Integers that are an input in new versions and an attribute in old ones."""
        value = self.input(at)
        return self.attribute(attribute, default) if value is None else [int(item) for item in value.reshape(-1)]

    def scalar(self, at, attribute=None, default=None):
        """A number that is an input of one element, or an attribute."""
        value = self.input(at)
        return self.attribute(attribute, default) if value is None else value.reshape(-1)[0].item()


def translates(*names):
    """Registers a translation."""
    def register(function):
        for name in names:
            OPERATORS[name] = function
        return function
    return register
